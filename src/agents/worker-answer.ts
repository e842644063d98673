// Completes the answers of agent CLIs, and sorts their failures into kinds.

import type { AgentAnswer, AgentFailure, AgentFailureKind, AgentOutput, AgentUsage } from './agent-worker.ts';
import { numberOrNull, parseJson, record, text } from './json-events.ts';

/** The parts of an answer that the reader of a client has found in the output. */
export interface ReadAnswer {
  readonly text: string;
  readonly structured?: unknown;
  readonly sessionId: string | null;
  readonly usage: AgentUsage | null;
  readonly costUsd?: number | null;
  readonly error: AgentFailure | null;
  readonly warnings?: readonly string[];
}

/**
 * Completes the answer of any CLI. It failed when the CLI reports an error, when a signal or an exit code other than 0 ended
 * it, or when the answer is empty: some CLIs end with exit code 0 and no output when they are interrupted.
 */
export function finishAnswer(answer: ReadAnswer, output: AgentOutput): AgentAnswer {
  const structured = answer.structured;
  const isEmpty = answer.text.trim() === '' && structured === undefined;
  let error = answer.error;
  if (!error && (output.signal !== null || output.exitCode !== 0)) error = failureOfExit(output);
  if (!error && isEmpty) error = failureOfKind('empty', 'ended without an answer');
  return {
    ok: error === null,
    // A CLI that failed prints its error in place of an answer.
    text: error === null ? answer.text : '',
    structured: error === null ? structured : undefined,
    sessionId: answer.sessionId,
    usage: answer.usage,
    costUsd: answer.costUsd ?? null,
    error,
    warnings: answer.warnings ?? [],
  };
}

const MAX_MESSAGE_CHARACTERS = 2_000;
/** The same call may work a little later. */
const TRANSIENT: ReadonlySet<AgentFailureKind> = new Set(['rate-limit', 'overloaded', 'network', 'empty']);

/** From the surest sign to the weakest. These are words of the services, not of the CLIs. */
const WORDS: readonly (readonly [RegExp, AgentFailureKind])[] = [
  // Google answers 400 to a wrong key, so these words win over the status.
  [/api key (not valid|not found|expired)|invalid api key|incorrect api key|invalid_api_key/i, 'auth'],
  [/authentication|unauthori[sz]ed|not logged in|log ?in again|\/login|credentials/i, 'auth'],
  [/output token maximum|max_output_tokens/i, 'budget'],
  [/rate.?limit|too many requests|resource_exhausted|quota/i, 'rate-limit'],
  [/overloaded|unavailable|internal server error|bad gateway/i, 'overloaded'],
  [
    /econnrefused|econnreset|enotfound|etimedout|eai_again|fetch failed|network|socket hang up|connection|stream disconnected|timed? ?out/i,
    'network',
  ],
  [/invalid_request|invalid argument|invalid_argument|bad request/i, 'bad-request'],
];

/** Why a CLI failed: from the HTTP status of its service if it reports one, else from the words of the message. */
export function agentFailure(message: string, status: number | null = null): AgentFailure {
  const said = unwrapMessage(message);
  const knownStatus = status ?? said.status ?? statusInText(said.message);
  const byWords = WORDS.find(([words]) => words.test(`${said.type} ${said.message}`))?.[1];
  const kind = byWords === 'auth' ? 'auth' : (kindOfStatus(knownStatus) ?? byWords ?? 'unknown');
  return failureOfKind(kind, said.message, knownStatus);
}

/** A failure whose kind is known. */
export function failureOfKind(
  kind: AgentFailureKind,
  message: string,
  status: number | null = null,
): AgentFailure {
  const said = shorten(message.trim()) || 'failed without a message';
  return { kind, message: said, isTransient: TRANSIENT.has(kind), status };
}

/** The failure of a CLI that reported no error: the last lines of standard error, else how the process ended. */
export function failureOfExit(end: {
  readonly stderr: string;
  readonly exitCode: number | null;
  readonly signal: string | null;
}): AgentFailure {
  if (end.signal !== null) return failureOfKind('crash', `ended by ${end.signal}`);
  const words = lastLines(end.stderr);
  if (words === '') return failureOfKind('crash', `ended with exit code ${end.exitCode} and no message`);
  const failure = agentFailure(words);
  return failure.kind === 'unknown' ? failureOfKind('crash', words) : failure;
}

/** The kind of failure for an HTTP status; undefined when the status is not a failure. */
function kindOfStatus(status: number | null): AgentFailureKind | undefined {
  if (status === null) return undefined;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'budget';
  if (status === 408) return 'network';
  if (status === 429) return 'rate-limit';
  if (status >= 500) return 'overloaded';
  return status >= 400 ? 'bad-request' : undefined;
}

/** The error of a service, without its wrapping. */
interface SaidByService {
  readonly message: string;
  readonly type: string;
  readonly status: number | null;
}

/** Services wrap their message in JSON, and CLIs pass it on unchanged, some inside `[API Error: ...]`. */
function unwrapMessage(message: string): SaidByService {
  const inner = /^\[API Error: ([\s\S]*)\]$/.exec(message.trim())?.[1] ?? message;
  const error = record(record(parseJson(inner)).error);
  if (text(error.message) === '') return { message: inner, type: '', status: null };
  const type = `${text(error.type)} ${text(error.code)} ${text(error.status)}`.trim();
  return { message: text(error.message), type, status: numberOrNull(error.code) };
}

function statusInText(message: string): number | null {
  const found = /(?:\bstatus(?: code)?|\bHTTP|\berror)[:\s]*([45]\d\d)\b|^([45]\d\d)\b/i.exec(message);
  return found ? Number(found[1] ?? found[2]) : null;
}

/** The last lines that are not part of a stack trace. */
function lastLines(output: string): string {
  return (
    output
      .split('\n')
      .map((line) => line.trim())
      // Stack frames would hide the message.
      .filter((line) => line !== '' && !line.startsWith('at '))
      .slice(-5)
      .join('\n')
  );
}

function shorten(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
  return `${message.slice(0, MAX_MESSAGE_CHARACTERS)}…`;
}
