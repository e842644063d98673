import { ANSWER_RULE, InvalidOutputError, ParsingError } from '../output/answer-errors.ts';
import type { AnyAnswer } from '../output/answer-schema-for.ts';
import { parseNative } from '../output/parse-native.ts';
import { parseWorkerOutput } from '../output/parse-worker-output.ts';
import type { TreeSnapshot } from '../platform/git-run-tree.ts';
import { fenced } from '../render/fence.ts';
import type { AgentAnswer } from './agents/agent-adapter.ts';
import { type AgentCall, callAgent } from './call-agent.ts';
import { runGate } from './gates/run-gate.ts';
import { isPastDeadline, type RunContext, timeLeft } from './run-context.ts';
import type { GateReport, RunOutcome, RunReason } from './run-event.ts';
import type { AttemptRecord } from './run-record.ts';
import type { BuiltPrompt } from './run-request.ts';
import { type StartedAgent, startAgent } from './start-agent.ts';

export interface AttemptStart {
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
  | { readonly kind: 'feedback'; readonly text: string; readonly testOutput: string | null };

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

const STOP: NextStep = { kind: 'stop' };
/** An agent that says so itself has nothing for the gates to look at. */
const GAVE_UP = new Set(['FAILED', 'BLOCKED']);

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
  let judgement = judgeCall(context, call);
  if (judgement === null) {
    const read = readAnswer(context, call.answer);
    if ('answer' in read) answer = read.answer;
    judgement = 'answer' in read ? judgeAnswer(context, read.answer) : read;
  }
  if (judgement === null) {
    gates.push(...(await runGates(context, snapshot.tree)));
    judgement = judgeGates(context, gates);
  }
  const { outcome, reason, message, next } = judgement;
  context.emit({ type: 'attempt-end', attempt, outcome, reason, message });
  const { sessionId, usage, costUsd } = call.answer;
  const record: AttemptRecord = {
    ...{ attempt, mode, outcome, reason, message, promptId, packageId, sessionId, usage, costUsd, gates },
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
      next: { kind: 'feedback', text: error.feedback, testOutput: null },
    };
  }
}

function judgeAnswer({ role }: RunContext, answer: AnyAnswer): Judgement | null {
  const isImplementer = (role.baseRole ?? role.name) === 'implementer';
  if (!isImplementer || !GAVE_UP.has(answer.status)) return null;
  return {
    outcome: 'failed',
    reason: 'agent-gave-up',
    message: `the agent answered ${answer.status}`,
    next: STOP,
  };
}

/** All of them, so that one attempt can put right what several complain about; a cancelled one is the last. */
async function runGates(context: RunContext, before: string): Promise<GateReport[]> {
  const { run, tree, gateEnv: env, signal, emit } = context;
  const { monotonicMs } = context.world;
  const reports: GateReport[] = [];
  for (const gate of context.gates) {
    emit({ type: 'gate-start', gate: typeof gate === 'string' ? gate : gate.join(' ') });
    const report = await runGate(gate, before, {
      ...{ run, tree, env, signal, monotonicMs },
      timeoutMs: timeLeft(context),
    });
    emit({ type: 'gate-end', ...report });
    reports.push(report);
    if (report.why === 'cancelled' || report.why === 'changed-the-tree') break;
  }
  return reports;
}

function judgeGates(context: RunContext, gates: readonly GateReport[]): Judgement {
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
  const testOutput = failed.map(describeGate).join('\n\n');
  const text = [
    'Your work was checked and did not pass.',
    ...failed.map((report) => `${headline(report)}\n\n${fenced(report.output, '')}`),
    `Put it right in the files, then send your whole answer again. ${ANSWER_RULE}`,
  ].join('\n\n');
  return {
    outcome: 'failed',
    reason: 'gate-failed',
    message,
    next: { kind: 'feedback', text, testOutput },
  };
}

function describeGate(report: GateReport): string {
  return `${headline(report)}\n${report.output}`;
}

function headline({ gate, why, exitCode }: GateReport): string {
  if (why === 'changed-the-tree')
    return `\`${gate}\` changed files of the work tree; it may only look at them.`;
  return `\`${gate}\` failed (${why === 'exit-code' ? `exit code ${exitCode}` : why}):`;
}

function cancelled(): Judgement {
  return { outcome: 'cancelled', reason: 'cancelled', message: 'the run was cancelled', next: STOP };
}
