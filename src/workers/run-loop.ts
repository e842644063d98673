import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import { isPlainArgument } from '../schema/plain-argument.ts';
import { type AttemptResult, type NextStep, runAttempt } from './run-attempt.ts';
import { isPastDeadline, type RunContext } from './run-context.ts';
import type { RunOutcome, RunReason } from './run-event.ts';
import type { BuiltPrompt } from './run-request.ts';
import { type StartedAgent, startAgent } from './start-agent.ts';

export interface LoopResult {
  readonly attempts: readonly AttemptResult[];
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly message: string;
  readonly diagnostics: readonly Diagnostic[];
}

const CANCELLED = { outcome: 'cancelled', reason: 'cancelled', message: 'the run was cancelled' } as const;

/** Attempts until one passes, nothing more helps, or the attempts or the time are used up. */
export async function runLoop(context: RunContext, maxAttempts: number): Promise<LoopResult> {
  const attempts: AttemptResult[] = [];
  const diagnostics = new Map<string, Diagnostic>();
  let failures = 0;
  let next: NextStep = { kind: 'again' };
  for (let attempt = 1; ; attempt += 1) {
    const ahead = createAhead(context);
    const asking = nextPrompt(context, next, attempts.at(-1), ahead.start);
    const { prompt, resume } = (await asking.catch(async (error: unknown) => {
      await ahead.dismiss();
      if (context.signal.aborted) return null;
      throw error;
    })) ?? { prompt: null, resume: null };
    if (prompt === null) return { attempts, ...CANCELLED, diagnostics: [...diagnostics.values()] };
    for (const one of prompt.diagnostics) {
      if (one.severity === 'warning' && !diagnostics.has(one.message))
        context.emit({ type: 'diagnostic', ...one });
      diagnostics.set(one.message, one);
    }
    const waiting = await ahead.take();
    const result = await runAttempt(context, { attempt, prompt, resume, waiting });
    attempts.push(result);
    next = result.next;
    const { outcome, reason, message } = result.record;
    const end = (): LoopResult => ({
      attempts,
      outcome,
      reason,
      message,
      diagnostics: [...diagnostics.values()],
    });
    if (next.kind === 'stop' || attempt >= maxAttempts || reason === null) return end();
    if (isPastDeadline(context)) return end();
    if (next.kind === 'again') {
      failures += 1;
      const delayMs = retryDelay(failures, context.environment.random);
      if (context.environment.monotonicMs() + delayMs >= context.deadlineAt) return end();
      context.emit({ type: 'retry-scheduled', delayMs, reason });
      await context.environment.sleep(delayMs, context.signal);
      if (context.signal.aborted) return { ...end(), ...CANCELLED };
      // A new session knows nothing of what the last one had begun.
      await context.tree.startOver();
    }
  }
}

/** Through the agent's own session where it can go on, else a new prompt that says what went wrong. */
async function nextPrompt(
  context: RunContext,
  next: NextStep,
  last: AttemptResult | undefined,
  onNear: (expectedMs: number) => void,
): Promise<{ prompt: BuiltPrompt; resume: string | null }> {
  const { agent, request, role, tree, isStaged, signal, environment } = context;
  const session = last?.record.sessionId ?? null;
  // An id that could pose as an option is none that the agent made.
  const canGoOn = agent.canResume && session !== null && isPlainArgument(session);
  if (next.kind === 'feedback' && canGoOn) {
    const promptId = createHash('sha256').update(next.text).digest('hex');
    const packageId = last?.record.packageId ?? null;
    return { prompt: { text: next.text, promptId, packageId, diagnostics: [] }, resume: session };
  }
  const extra: Record<string, string> = { ...request.extra };
  const keep: string[] = [];
  if (next.kind === 'feedback') {
    const said = next.testOutputs.map((text, at): [string, string] => [
      at === 0 ? 'test_output' : `test_output_${at + 1}`,
      text,
    ]);
    if (said.length === 0) said.push(['feedback', next.text]);
    // A retry that does not know what was wrong repeats it.
    for (const [key, text] of said) {
      extra[key] = text;
      keep.push(key);
    }
  }
  const { task, targets = [] } = request;
  // Before the first attempt, and when the tree was made what it was.
  const state = next.kind === 'again' ? tree.state : null;
  const asked = { root: tree.path, role, task, targets, extra, keep, isStaged, state, signal, onNear };
  const { change } = request;
  return { prompt: await environment.buildPrompt({ ...asked, ...(change && { change }) }), resume: null };
}

const FIRST_MS = 1_000;
const MAX_MS = 60_000;
const MIN_MS = 100;

/** Full jitter: many workers that failed together do not come back together. `failures` counts from 1. */
export function retryDelay(failures: number, random: () => number): number {
  const limit = Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.max(MIN_MS, Math.round(random() * limit));
}

/** The agent of an attempt, which may be started before its prompt is there. */
interface AgentAhead {
  /** Starts it, unless it would have to wait for its prompt for long. */
  start(expectedMs: number): void;
  /** For its prompt. Null when it was not started, or had to wait for too long and is gone. */
  take(): Promise<StartedAgent | null>;
  dismiss(): Promise<void>;
}

/**
 * An agent needs a few hundred milliseconds until it reads anything, and a prompt from an open index takes less: both
 * happen at the same time.
 */
function createAhead(context: RunContext): AgentAhead {
  const patienceMs = context.agent.promptPatienceMs;
  let agent: StartedAgent | null = null;
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const dismiss = async (): Promise<void> => {
    clearTimeout(timer);
    await agent?.dismiss();
  };
  return {
    start: (expectedMs) => {
      if (agent !== null || 2 * expectedMs > patienceMs) return;
      try {
        agent = startAgent(context, null);
      } catch {
        // comes up again when it is started for its prompt
        return;
      }
      timer = setTimeout(() => {
        isLate = true;
        dismiss().catch(() => {});
      }, patienceMs);
    },
    take: async () => {
      clearTimeout(timer);
      if (!isLate) return agent;
      await dismiss();
      return null;
    },
    dismiss,
  };
}
