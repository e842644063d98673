import type { AgentAnswer } from '../agents/agent-worker.ts';
import { ANSWER_RULE, InvalidOutputError, ParsingError } from '../context/answers/answer-errors.ts';
import type { AnyAnswer } from '../context/answers/answer-schema-for.ts';
import { parseNative } from '../context/answers/parse-native.ts';
import { parseWorkerOutput } from '../context/answers/parse-worker-output.ts';
import { OWNER_ONLY, writeFileAtomic } from '../platform/fs/atomic-file.ts';
import type { TreeSnapshot } from '../platform/git/git-run-tree.ts';
import type { ProcessOutcome } from '../platform/process/process-runner.ts';
import { fenced } from '../redact/fence.ts';
import { safeText } from '../redact/outgoing-text.ts';
import { gateName, runGate } from './gates/run-gate.ts';
import { isPastDeadline, type RunContext, timeLeft } from './run-context.ts';
import type { GateReport, RunOutcome, RunReason } from './run-event.ts';
import type { AttemptRecord } from './run-record.ts';
import type { BuiltPrompt } from './run-request.ts';
import { type StartedAgent, startAgent } from './start-agent.ts';

interface AttemptStart {
  readonly attempt: number;
  readonly prompt: BuiltPrompt;
  /** The session that the prompt continues. */
  readonly resume: string | null;
  /** Waits for the prompt already. */
  readonly waiting: StartedAgent | null;
}

/** What may help: nothing, the same again a little later, or an answer to what went wrong. */
export type NextStep =
  | { readonly kind: 'stop' }
  | { readonly kind: 'again' }
  | {
      readonly kind: 'feedback';
      readonly text: string;
      /** What each gate that failed said, for a new prompt. */
      readonly testOutputs: readonly string[];
    };

export interface AttemptResult {
  readonly record: AttemptRecord;
  readonly answer: AnyAnswer | null;
  readonly snapshot: TreeSnapshot;
  readonly next: NextStep;
}

interface Judgement {
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly message: string;
  readonly next: NextStep;
}

const LEFTOVERS =
  'The checks ran without files that git ignores and without repositories inside this one: they are not part of the result.';
const STOP: NextStep = { kind: 'stop' };
/** Answers of the right form that say no: the work is not done, or what was looked at may not go in. */
const NO = new Set(['PARTIAL', 'FAILED', 'BLOCKED', 'NEEDS_REFINEMENT', 'CHANGES_REQUESTED', 'REJECTED']);

/** One call of the agent, its answer checked, its work put through the gates. */
export async function runAttempt(context: RunContext, start: AttemptStart): Promise<AttemptResult> {
  const { attempt, prompt, resume, waiting } = start;
  const mode: AttemptRecord['mode'] = resume === null ? 'fresh' : 'resume';
  const { promptId, packageId } = prompt;
  const promptBytes = Buffer.byteLength(prompt.text);
  const worker = waiting ?? startAgent(context, resume);
  let call: AgentCall;
  try {
    context.emit({ type: 'attempt-start', attempt, mode, promptId, packageId, promptBytes });
    call = await callAgent(context, worker, attempt, prompt.text);
  } catch (error) {
    await worker.dismiss();
    throw error;
  }
  const { snapshot } = call;
  const gates: GateReport[] = [];
  let answer: AnyAnswer | null = null;
  let setAside: readonly string[] = [];
  let judgement = judgeCall(context, call);
  if (judgement === null) {
    const read = readAnswer(context, call.answer);
    if ('answer' in read) answer = read.answer;
    judgement = 'answer' in read ? judgeAnswer(read.answer) : read;
  }
  if (judgement === null) {
    setAside = await withoutLeftovers(context, async () => {
      gates.push(...(await runGates(context, attempt, snapshot.tree)));
    });
    judgement = judgeGates(context, gates, setAside);
  }
  const { outcome, reason, message, next } = judgement;
  context.emit({ type: 'attempt-end', attempt, outcome, reason, message });
  const { sessionId, usage, costUsd } = call.answer;
  const record: AttemptRecord = {
    ...{
      attempt,
      mode,
      outcome,
      reason,
      message,
      promptId,
      packageId,
      sessionId,
      usage,
      costUsd,
      gates,
      setAside,
    },
  };
  return { record, answer, snapshot, next };
}

function judgeCall(context: RunContext, { outcome, answer }: AgentCall): Judgement | null {
  if (outcome === 'aborted') return cancelled();
  if (outcome === 'timed-out') {
    const isLast = isPastDeadline(context);
    return {
      outcome: 'timed-out',
      reason: isLast ? 'deadline' : 'agent-timed-out',
      message: isLast
        ? 'the deadline of the run passed'
        : `no answer within ${Math.round(context.timeoutMs / 1000)} s`,
      next: isLast ? STOP : { kind: 'again' },
    };
  }
  if (answer.error === null) return null;
  const { kind, message, isTransient } = answer.error;
  return {
    outcome: 'failed',
    reason: 'agent-failed',
    message: `${context.agent.name}: ${kind}: ${message}`,
    next: isTransient ? { kind: 'again' } : STOP,
  };
}

function readAnswer({ schema, emit }: RunContext, given: AgentAnswer): { answer: AnyAnswer } | Judgement {
  try {
    const { structured, text } = given;
    const answer =
      structured === undefined ? parseWorkerOutput(text, schema) : parseNative(structured, schema);
    emit({ type: 'answer-accepted', status: answer.status });
    return { answer };
  } catch (error) {
    if (!(error instanceof ParsingError || error instanceof InvalidOutputError)) throw error;
    emit({ type: 'answer-refused', message: error.message });
    return {
      outcome: 'failed',
      reason: 'answer-refused',
      message: error.message,
      next: { kind: 'feedback', text: error.feedback, testOutputs: [] },
    };
  }
}

/** What decides is the answer: an agent that says no itself leaves nothing for the gates to look at. */
function judgeAnswer({ status }: AnyAnswer): Judgement | null {
  if (!NO.has(status.toUpperCase())) return null;
  return { outcome: 'failed', reason: 'answered-no', message: `the answer is ${status}`, next: STOP };
}

/** Gates judge what the patch holds, so files that it does not hold are out of their sight. */
async function withoutLeftovers(
  { tree, gates }: RunContext,
  work: () => Promise<void>,
): Promise<readonly string[]> {
  if (gates.length === 0) return [];
  const names = await tree.setAside();
  try {
    await work();
  } finally {
    tree.bringBack();
  }
  return names;
}

/** All of them, so that one attempt can put right what several complain about; a cancelled one is the last. */
async function runGates(context: RunContext, attempt: number, before: string): Promise<GateReport[]> {
  const { run, tree, folder, gateEnv: env, signal, emit } = context;
  const { monotonicMs } = context.environment;
  const reports: GateReport[] = [];
  for (const [at, gate] of context.gates.entries()) {
    emit({ type: 'gate-start', gate: gateName(gate) });
    const finished = await runGate(gate, before, {
      ...{ run, tree, env, signal, monotonicMs },
      timeoutMs: timeLeft(context),
    });
    const { output } = finished;
    const outputFile = output === '' ? null : `attempt-${attempt}.gate-${at + 1}.log`;
    if (outputFile !== null) writeFileAtomic(`${folder}/${outputFile}`, `${output}\n`, OWNER_ONLY);
    const report: GateReport = { ...finished.report, outputFile };
    emit({ type: 'gate-end', ...report });
    reports.push(report);
    if (report.why === 'cancelled' || report.why === 'changed-the-tree') break;
  }
  return reports;
}

function judgeGates(
  context: RunContext,
  gates: readonly GateReport[],
  setAside: readonly string[],
): Judgement {
  const failed = gates.filter(({ passed }) => !passed);
  if (failed.some(({ why }) => why === 'cancelled')) return cancelled();
  if (failed.length === 0) {
    return {
      outcome: 'passed',
      reason: null,
      message: `${gates.length} of ${gates.length} gates`,
      next: STOP,
    };
  }
  const message = failed
    .map(({ gate, why, exitCode }) => `${gate}: ${why}${why === 'exit-code' ? ` (${exitCode})` : ''}`)
    .join('; ');
  if (isPastDeadline(context)) return { outcome: 'timed-out', reason: 'deadline', message, next: STOP };
  const leftovers = setAside.length === 0 ? [] : [LEFTOVERS];
  const testOutputs = failed.map((report, at) => {
    const isLast = at === failed.length - 1;
    return [`${headline(report)}\n${report.output}`, ...(isLast ? leftovers : [])].join('\n\n');
  });
  const text = [
    'Your work was checked and did not pass.',
    ...failed.map((report) => `${headline(report)}\n\n${fenced(report.output, '')}`),
    ...leftovers,
    `Put it right in the files, then send your whole answer again. ${ANSWER_RULE}`,
  ].join('\n\n');
  return {
    outcome: 'failed',
    reason: 'gate-failed',
    message,
    next: { kind: 'feedback', text, testOutputs },
  };
}

function headline({ gate, why, exitCode }: GateReport): string {
  if (why === 'changed-the-tree')
    return `\`${gate}\` changed files of the work tree; it may only look at them.`;
  return `\`${gate}\` failed (${why === 'exit-code' ? `exit code ${exitCode}` : why}):`;
}

function cancelled(): Judgement {
  return { outcome: 'cancelled', reason: 'cancelled', message: 'the run was cancelled', next: STOP };
}

interface AgentCall {
  readonly outcome: ProcessOutcome;
  readonly answer: AgentAnswer;
  /** The work tree as the agent left it. */
  readonly snapshot: TreeSnapshot;
}

/** Of the output, for people who want to know what went wrong. */
const SAVED_BYTES = 500_000;

/** Has an agent that waits for it work on a prompt, and reads what it answered. */
async function callAgent(
  context: RunContext,
  worker: StartedAgent,
  attempt: number,
  prompt: string,
): Promise<AgentCall> {
  const { agent, tree, folder, environment, emit } = context;
  const started = environment.monotonicMs();
  worker.hand(prompt);
  if (worker.pid !== null) emit({ type: 'agent-start', pid: worker.pid });
  writeFileAtomic(`${folder}/attempt-${attempt}.prompt.md`, prompt, OWNER_ONLY);
  const result = await worker.result;
  // git looks at the tree while the output is read and saved.
  const looking = tree.snapshot();
  looking.catch(() => {});
  const durationMs = Math.round(environment.monotonicMs() - started);
  const [stdout, stderr] = [result.stdout.toString('utf8'), result.stderr.toString('utf8')];
  writeFileAtomic(`${folder}/attempt-${attempt}.output.txt`, shown(stdout, stderr), OWNER_ONLY);
  const read = agent.read({ stdout, stderr, exitCode: result.exitCode, signal: result.signal });
  // An answer that happens to be JSON is no structured one: nobody asked for any.
  const answer = worker.isStructured ? read : { ...read, structured: undefined };
  emit({
    type: 'agent-end',
    exitCode: result.exitCode,
    durationMs,
    omittedBytes: result.omittedBytes,
    usage: answer.usage,
    costUsd: answer.costUsd,
    error: answer.error,
  });
  return { outcome: result.outcome, answer, snapshot: await looking };
}

function shown(stdout: string, stderr: string): string {
  const cut = (whole: string) => shorten(safeText(whole));
  return stderr === '' ? cut(stdout) : `${cut(stdout)}\n--- standard error ---\n${cut(stderr)}`;
}

function shorten(text: string): string {
  return text.length <= SAVED_BYTES
    ? text
    : `${text.slice(0, SAVED_BYTES / 2)}\n[...]\n${text.slice(-SAVED_BYTES / 2)}`;
}
