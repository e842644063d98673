import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside } from '../../platform/fs/make-folder.ts';
import { safeJson } from '../../redact/outgoing-text.ts';
import { BreakerStore, type BreakerVerdict } from '../breaker/breaker-store.ts';
import type { PreparedRun } from '../prepare-run.ts';
import type { RunContext } from '../run-context.ts';
import type { RunEvent, RunReason } from '../run-event.ts';
import { type LoopResult as AttemptsResult, runLoop } from '../run-loop.ts';
import type { RunRequest, RunWorld } from '../run-request.ts';
import { type LoopAnswer, loopAnswer } from './loop-answer.ts';
import type { WorkerOutcome, WorkerRequest } from './loop-world.ts';

export interface WorkerSetting {
  readonly request: RunRequest;
  readonly world: RunWorld;
  readonly prepared: PreparedRun;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Calls of the agent within one iteration: after an outage, or because its answer had the wrong form. */
const MOST_CALLS = 3;
/** The worker had its chance; everything else is the fault of somebody else. */
const OWN_FAULT: ReadonlySet<RunReason> = new Set([
  'agent-timed-out',
  'answer-refused',
  'answered-no',
  'deadline',
]);

/** One iteration's worker: an agent with the loop's own prompt and form of answer, and no gates but the guard. */
export async function runLoopWorker(request: WorkerRequest, setting: WorkerSetting): Promise<WorkerOutcome> {
  const { world, prepared, timeoutMs } = setting;
  const { role, cli, model } = prepared;
  const found = world.findAgent(cli, prepared.root.path);
  const breaker = new BreakerStore(world.cacheDirectory, world.wallClockMs);
  const key = { role: role.name, cli, model };
  await breaker.enter(key, request.run);
  let verdict: BreakerVerdict = 'unknown';
  const log: string[] = [];
  let ranOutOfTurns = false;
  const context: RunContext = {
    ...{
      run: request.run,
      request: setting.request,
      tree: request.tree,
      isStaged: false,
      folder: request.folder,
      role,
      model,
    },
    ...{ flags: prepared.flags, permissions: prepared.permissions, agentEnv: setting.agentEnv, timeoutMs },
    ...{ agent: found.adapter, schema: loopAnswer, gates: [], gateEnv: {}, signal: request.signal },
    world: { ...world, buildPrompt: async ({ root, extra }) => promptFor(request, root, extra.feedback) },
    // All calls together: whoever is too slow is not started again, the next iteration hears of it.
    deadlineAt: world.monotonicMs() + timeoutMs,
    emit: (event) => {
      if (event.type === 'agent-end') ranOutOfTurns = event.error?.kind === 'turn-limit';
      log.push(...logLines(event));
    },
  };
  try {
    const result = await runLoop(context, MOST_CALLS);
    verdict = verdictOf(result);
    const slow = `no answer within ${Math.round(timeoutMs / 1000)} s`;
    const message = result.reason === 'deadline' ? slow : result.message;
    return outcomeOf({ ...result, message }, ranOutOfTurns, `${log.join('\n')}\n`);
  } finally {
    await breaker.leave(key, request.run, verdict);
  }
}

/** A tree that was reset has lost the files beside git, so they are put there for every fresh start. */
function promptFor(request: WorkerRequest, root: string, feedback: string | undefined) {
  for (const [path, content] of request.files) {
    const at = path.lastIndexOf('/');
    const folder = makeFolderInside(root, path.slice(0, at));
    writeFileAtomic(`${folder}/${path.slice(at + 1)}`, content);
  }
  const { promptId, packageId } = request;
  return { text: request.prompt(feedback ?? null), promptId, packageId, diagnostics: [] };
}

function outcomeOf(
  { attempts, reason, message }: AttemptsResult,
  ranOutOfTurns: boolean,
  log: string,
): WorkerOutcome {
  const answer = attempts.at(-1)?.answer as LoopAnswer | null | undefined;
  if (reason === null && answer) return { kind: 'answered', answer, log };
  const isOwnFault = ranOutOfTurns || (reason !== null && OWN_FAULT.has(reason));
  return isOwnFault ? { kind: 'no-answer', message, log } : { kind: 'failed', message, log };
}

function verdictOf({ reason }: AttemptsResult): BreakerVerdict {
  if (reason === 'cancelled') return 'unknown';
  return reason === null ? 'worked' : 'failed';
}

/** The raw output of every call lies beside it in a file of its own. */
function logLines(event: RunEvent): string[] {
  return event.type === 'agent-output' ? [] : [safeJson(event)];
}
