// The attempts of one run. An attempt that fails because of an outage is repeated after a pause; one that fails a check
// gets feedback. `run-attempt.ts` is a single attempt.
import { createHash } from 'node:crypto';
import type { Diagnostic } from '../model/diagnostic.ts';
import { isPlainArgument } from '../schema/text-values.ts';
import { type AttemptResult, type NextStep, runAttempt } from './run-attempt.ts';
import type { RunOutcome, RunReason } from './run-record.ts';
import { type BuiltPrompt, isPastDeadline, type RunContext } from './run-request.ts';

/** All attempts of a run, and the outcome of the last one. */
export interface AttemptsResult {
  readonly attempts: readonly AttemptResult[];
  readonly outcome: RunOutcome;
  /** Of the last attempt; null when it passed. */
  readonly reason: RunReason | null;
  readonly message: string;
  /** Diagnostics of all prompts, each message once. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of a run that was cancelled before or between its attempts. */
const CANCELLED = { outcome: 'cancelled', reason: 'cancelled', message: 'the run was cancelled' } as const;

/** Starts attempts until one passes, another one cannot help, or the number of attempts or the time is used up. */
export async function runAttempts(context: RunContext, maxAttempts: number): Promise<AttemptsResult> {
  const attempts: AttemptResult[] = [];
  const diagnostics = new Map<string, Diagnostic>();
  const finish = (end: Pick<AttemptsResult, 'outcome' | 'reason' | 'message'>): AttemptsResult => ({
    ...{ attempts, outcome: end.outcome, reason: end.reason, message: end.message },
    diagnostics: [...diagnostics.values()],
  });
  let failures = 0;
  let next: NextStep = { kind: 'again' };
  for (let attempt = 1; ; attempt += 1) {
    // Build the prompt. Only a cancelled run may end without one.
    const asked = await nextPrompt(context, next, attempts.at(-1)).catch((error: unknown) => {
      if (context.signal.aborted) return null;
      throw error;
    });
    if (asked === null) return finish(CANCELLED);
    for (const one of asked.prompt.diagnostics) {
      if (one.severity === 'warning' && !diagnostics.has(one.message))
        context.emit({ type: 'diagnostic', ...one });
      diagnostics.set(one.message, one);
    }

    // Let the agent work on it, and judge the result.
    const result = await runAttempt(context, { attempt, ...asked });
    attempts.push(result);
    next = result.next;
    const { reason } = result.record;
    const isLast = next.kind === 'stop' || attempt >= maxAttempts || reason === null;
    if (isLast || isPastDeadline(context)) return finish(result.record);

    // After an outage: wait, then start again in a clean tree. A new session knows nothing of unfinished work.
    if (next.kind === 'again') {
      failures += 1;
      const delayMs = retryDelay(failures, context.environment.random);
      if (context.environment.monotonicMs() + delayMs >= context.deadlineAt) return finish(result.record);
      context.emit({ type: 'retry-scheduled', delayMs, reason });
      await context.environment.sleep(delayMs, context.signal);
      if (context.signal.aborted) return finish(CANCELLED);
      await context.tree.startOver();
    }
  }
}

/** Continues the agent's own session where it can, else builds a new prompt that says what went wrong. */
async function nextPrompt(
  context: RunContext,
  next: NextStep,
  last: AttemptResult | undefined,
): Promise<{ prompt: BuiltPrompt; resume: string | null }> {
  const { agent, request, role, tree, isStaged, signal, environment } = context;
  const session = last?.record.sessionId ?? null;
  // The id becomes an argument of the command line: one that looks like an option is not used.
  const canResume = agent.canResume && session !== null && isPlainArgument(session);
  if (next.kind === 'feedback' && canResume) {
    const promptId = createHash('sha256').update(next.text).digest('hex');
    const packageId = last?.record.packageId ?? null;
    return { prompt: { text: next.text, promptId, packageId, diagnostics: [] }, resume: session };
  }
  const feedback = next.kind === 'feedback' ? feedbackSections(next) : {};
  const { repository, task, targets = [], change, domain } = request;
  const prompt = await environment.buildPrompt({
    ...{ root: tree.path, repository, role, task, targets, isStaged, signal },
    ...(change && { change }),
    ...(domain !== undefined && { domain }),
    extra: { ...request.extra, ...feedback },
    // Never drop the feedback from the prompt: without it the agent makes the same mistake again.
    keep: Object.keys(feedback),
  });
  return { prompt, resume: null };
}

/** `test_output`, `test_output_2` and so on for gates that failed, else `feedback`. */
function feedbackSections({
  text,
  testOutputs,
}: Extract<NextStep, { kind: 'feedback' }>): Record<string, string> {
  if (testOutputs.length === 0) return { feedback: text };
  return Object.fromEntries(
    testOutputs.map((output, at) => [at === 0 ? 'test_output' : `test_output_${at + 1}`, output]),
  );
}

/** The pause after a first failure is at most this long; the limit doubles up to the largest. */
const FIRST_MS = 1_000;
const MAX_MS = 60_000;
const MIN_MS = 100;

/** Full jitter: many workers that failed together do not come back together. `failures` counts from 1. */
export function retryDelay(failures: number, random: () => number): number {
  const limit = Math.min(MAX_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.max(MIN_MS, Math.round(random() * limit));
}
