// One attempt of a run: call the agent, read its answer, run the gates. Each step gives a judgement, and the first one
// that is not null ends the attempt.
import type { AgentAnswer } from '../agents/index.ts';
import {
  ANSWER_RULE,
  type AnyAnswer,
  InvalidOutputError,
  ParsingError,
  parseNative,
  parseWorkerOutput,
} from '../context/answers/index.ts';
import { OWNER_ONLY, writeFileAtomic } from '../platform/fs/atomic-file.ts';
import type { TreeSnapshot } from '../platform/git/git-run-tree.ts';
import { fenced } from '../redact/index.ts';
import { type AgentCall, callAgent, planCall } from './call-agent.ts';
import { gateName, runGate } from './gates.ts';
import type { AttemptRecord, GateReport, RunOutcome, RunReason } from './run-record.ts';
import { type BuiltPrompt, isPastDeadline, type RunContext, timeLeft } from './run-request.ts';

/** The prompt of an attempt. */
interface AttemptStart {
  readonly attempt: number;
  readonly prompt: BuiltPrompt;
  /** The session that the prompt continues. */
  readonly resume: string | null;
}

/** The next step after an attempt: none, the same again a little later, or feedback on what went wrong. */
export type NextStep =
  | { readonly kind: 'stop' }
  | { readonly kind: 'again' }
  | {
      readonly kind: 'feedback';
      readonly text: string;
      /** The output of each gate that failed, for a new prompt. */
      readonly testOutputs: readonly string[];
    };

/** How an attempt ended, what the agent answered and left, and what may help next. */
export interface AttemptResult {
  readonly record: AttemptRecord;
  /** Null when the agent gave none, or one of the wrong form. */
  readonly answer: AnyAnswer | null;
  /** The files as the agent left them. */
  readonly snapshot: TreeSnapshot;
  readonly next: NextStep;
}

/** How the call, the answer or the gates end an attempt. */
interface Judgement {
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly message: string;
  readonly next: NextStep;
}

/** Added to the feedback when files were moved aside for the gates. */
const LEFTOVERS =
  'The checks ran without files that git ignores and without repositories inside this one: they are not part of the result.';
/** Another attempt cannot help. */
const STOP: NextStep = { kind: 'stop' };
/** Answers of the right form that say no: the work is not done, or the reviewed change must not go in. */
const NO = new Set(['PARTIAL', 'FAILED', 'BLOCKED', 'NEEDS_REFINEMENT', 'CHANGES_REQUESTED', 'REJECTED']);

/** One attempt: call the agent, check its answer, run the gates on its work. */
export async function runAttempt(context: RunContext, start: AttemptStart): Promise<AttemptResult> {
  const { attempt, prompt, resume } = start;
  const { promptId, packageId, text } = prompt;
  const mode: AttemptRecord['mode'] = resume === null ? 'fresh' : 'resume';
  const promptBytes = Buffer.byteLength(text);
  // An agent that may not be started here is refused before the attempt begins: an attempt that begins has an end.
  const planned = planCall(context, resume);
  context.emit({ type: 'attempt-start', attempt, mode, promptId, packageId, promptBytes });
  const call = await callAgent(context, planned, attempt, text);

  // The call is judged first, then the answer, then the gates. The first judgement that is not null decides.
  let answer: AnyAnswer | null = null;
  let gated: GatedWork = { gates: [], setAside: [] };
  let judgement = judgeCall(context, call);
  if (judgement === null) {
    const read = readAnswer(context, call.answer);
    if ('answer' in read) answer = read.answer;
    judgement = 'answer' in read ? judgeAnswer(read.answer) : read;
  }
  if (judgement === null) {
    gated = await runGates(context, attempt, call.snapshot.tree);
    judgement = judgeGates(context, gated);
  }

  const { outcome, reason, message, next } = judgement;
  context.emit({ type: 'attempt-end', attempt, outcome, reason, message });
  const { sessionId, usage, costUsd } = call.answer;
  const record: AttemptRecord = {
    ...{ attempt, mode, outcome, reason, message, promptId, packageId, sessionId, usage, costUsd },
    ...gated,
  };
  return { record, answer, snapshot: call.snapshot, next };
}

/** The judgement on the call itself; null when the agent answered. */
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

/** The answer in the role's form, or a judgement that says what is wrong with its form. */
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

/** An agent that says no itself leaves nothing for the gates to check. */
function judgeAnswer({ status }: AnyAnswer): Judgement | null {
  if (!NO.has(status.toUpperCase())) return null;
  return { outcome: 'failed', reason: 'answered-no', message: `the answer is ${status}`, next: STOP };
}

/** The reports of the gates, and the files that they did not see. */
type GatedWork = Pick<AttemptRecord, 'gates' | 'setAside'>;

/**
 * Runs all gates, so that one more attempt can fix all failures. They judge the content of the patch: other files are
 * moved aside meanwhile.
 */
async function runGates(context: RunContext, attempt: number, before: string): Promise<GatedWork> {
  const { run, tree, folder, gateEnv: env, signal, emit } = context;
  const { monotonicMs } = context.environment;
  if (context.gates.length === 0) return { gates: [], setAside: [] };
  const setAside = await tree.setAside();
  const gates: GateReport[] = [];
  try {
    for (const [at, gate] of context.gates.entries()) {
      emit({ type: 'gate-start', gate: gateName(gate) });
      const setting = { run, tree, env, signal, monotonicMs, timeoutMs: timeLeft(context) };
      const { report, output } = await runGate(gate, before, setting);
      const outputFile = output === '' ? null : `attempt-${attempt}.gate-${at + 1}.log`;
      if (outputFile !== null) writeFileAtomic(`${folder}/${outputFile}`, `${output}\n`, OWNER_ONLY);
      emit({ type: 'gate-end', ...report, outputFile });
      gates.push({ ...report, outputFile });
      if (report.why === 'cancelled' || report.why === 'changed-the-tree') break;
    }
  } finally {
    tree.bringBack();
  }
  return { gates, setAside };
}

/** Passed when every gate passed. Otherwise the next attempt gets the output of those that failed. */
function judgeGates(context: RunContext, { gates, setAside }: GatedWork): Judgement {
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
    `Fix it in the files, then send your whole answer again. ${ANSWER_RULE}`,
  ].join('\n\n');
  return {
    outcome: 'failed',
    reason: 'gate-failed',
    message,
    next: { kind: 'feedback', text, testOutputs },
  };
}

/** The first line about a gate that failed, for the agent. */
function headline({ gate, why, exitCode }: GateReport): string {
  if (why === 'changed-the-tree')
    return `\`${gate}\` changed files of the work tree; a gate may only read them.`;
  return `\`${gate}\` failed (${why === 'exit-code' ? `exit code ${exitCode}` : why}):`;
}

/** A cancelled run is never repeated. */
function cancelled(): Judgement {
  return { outcome: 'cancelled', reason: 'cancelled', message: 'the run was cancelled', next: STOP };
}
