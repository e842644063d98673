import { answerSchemaFor } from '../context/answers/answer-schema-for.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { makeFolder } from '../platform/fs/make-folder.ts';
import { removeFolder } from '../platform/fs/remove-folder.ts';
import { withoutGitVariables } from '../platform/git/git-child-environment.ts';
import { BreakerStore, type BreakerVerdict } from './breaker/breaker-store.ts';
import { EventChannel } from './event-channel.ts';
import { findStaged } from './find-staged.ts';
import { finishCrashed } from './finish-crashed.ts';
import { finishRun } from './finish-run.ts';
import { gateEnvironment } from './gates/gate-environment.ts';
import { type EventLog, openEventLog } from './log/event-log.ts';
import { makeRunFolder } from './log/run-folder.ts';
import { newRunId } from './new-run-id.ts';
import { type PreparedRun, prepareRun } from './prepare-run.ts';
import type { RunContext } from './run-context.ts';
import type { RunEvent, StoredEvent } from './run-event.ts';
import { type LoopResult, runLoop } from './run-loop.ts';
import type { RunResult } from './run-record.ts';
import type { RunRequest, RunWorld } from './run-request.ts';
import { sideQuestions } from './side-questions.ts';
import type { KeptTree } from './worktrees/kept-trees.ts';
import { reapTrees } from './worktrees/reap-trees.ts';
import { type ClaimedTree, claimTree, type RunTree } from './worktrees/run-tree.ts';
import { openTreePlace } from './worktrees/tree-place.ts';

/** A run that has begun. */
export interface RunHandle {
  readonly run: string;
  /** For one reader; ends with the run. Whoever reads none loses nothing but the view. */
  readonly events: AsyncIterable<StoredEvent>;
  /** Rejects with a `LoadoutError` when the run could not be begun. */
  readonly result: Promise<RunResult>;
  /** Ends everything that the run has started. */
  cancel(): void;
}

const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_DEADLINE_MS = 3_600_000;
const DEFAULT_RETRIES = 2;

/**
 * Runs an agent on a role and a task in a work tree of its own, and counts only what was checked: an answer in the
 * role's form, and work that passes every gate.
 */
export function runRole(request: RunRequest, world: RunWorld): RunHandle {
  const run = newRunId(world.wallClockMs());
  const controller = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
  const channel = new EventChannel<StoredEvent>((event) => event.type === 'agent-output');
  const result = execute(run, request, world, signal, (event) => channel.push(event));
  const ended = () => channel.close();
  // Also keeps a run whose result nobody waits for from ending the process.
  result.then(ended, ended);
  return { run, events: channel, result, cancel: () => controller.abort() };
}

async function execute(
  run: string,
  request: RunRequest,
  world: RunWorld,
  signal: AbortSignal,
  tell: (event: StoredEvent) => void,
): Promise<RunResult> {
  const started = world.monotonicMs();
  const startedAt = new Date(world.wallClockMs()).toISOString();
  const prepared = await prepareRun(request, world);
  const { root, git, commit, role, cli, model } = prepared;
  const agent = world.findAgent(cli, root.path);
  if (signal.aborted) throw new LoadoutError('cancelled', 'the run was cancelled before it began');
  const breaker = new BreakerStore(world.cacheDirectory, world.wallClockMs);
  const key = { role: role.name, cli, model };
  await breaker.enter(key, run);
  let verdict: BreakerVerdict = 'unknown';
  let log: EventLog | null = null;
  let claimed: ClaimedTree | null = null;
  try {
    const place = openTreePlace(git, world.cacheDirectory);
    const crashed = (await reapTrees(place, (one) => finishCrashed(one, world.wallClockMs))).flat();
    const staging = findStaged(request, prepared, place, run);
    // Whoever waits for it hears of it.
    staging.catch(() => {});
    // Files in conflict are a reason not to begin.
    if (request.staged === true || request.change) await staging;
    // Before anything is written of the run: who finds the claim of a dead process writes its end.
    claimed = await claimTree(place, run, commit);
    const folder = makeRunFolder(root, run);
    const events = openEventLog(folder, run, world.wallClockMs);
    log = events;
    let tree: RunTree | null = null;
    const findUnseen = async () => (request.change ? [] : prepared.findUnseen((await staging).tree !== null));
    const questions = sideQuestions(agent, findUnseen, () => tree?.settleIndex());
    const emit = (event: RunEvent): void => {
      if (event.type === 'agent-start') questions.begin();
      const stored = events.append(event);
      if (stored !== null) tell(stored);
    };
    emit({ type: 'run-start', role: role.name, cli, model, task: request.task, commit });
    tree = await claimed.prepare(async () => (await staging).tree);
    const temporary = `${place.temporary}/${run}`;
    try {
      makeFolder(temporary);
      emit({ type: 'tree-ready', path: tree.path });
      const added = { TMPDIR: temporary, TMP: temporary, TEMP: temporary };
      const staged = await staging;
      const isStaged = staged.tree !== null;
      const diagnostics = [...prepared.diagnostics, ...crashed, ...staged.diagnostics];
      const shared = { run, request, world, signal, emit, prepared, tree, isStaged, folder, added, started };
      const context = contextOf({ ...shared, agent: agent.adapter });
      const maxRetries = request.maxRetries ?? role.config.maxRetries ?? DEFAULT_RETRIES;
      const loop = await runLoop(context, 1 + maxRetries);
      verdict = verdictOf(loop);
      return await finishRun({
        ...{ context, prepared, loop, startedAt, started, diagnostics },
        ...(await questions.answers()),
      });
    } catch (error) {
      const kept = await abandon(tree);
      if (kept !== null) emit({ type: 'tree-kept', path: kept.path, why: kept.why });
      throw error;
    } finally {
      questions.stop();
      removeFolder(temporary);
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const stored = log?.append({
      ...{ type: 'run-end', outcome: 'crashed', reason: null, message, branch: null, applied: false },
    });
    if (stored) tell(stored);
    throw error;
  } finally {
    log?.close();
    await claimed?.giveBack();
    await breaker.leave(key, run, verdict);
  }
}

/** A bug or a full disk: what the agent did so far stays. */
async function abandon(tree: RunTree): Promise<KeptTree | null> {
  const isChanged = await tree.snapshot().then(
    (snapshot) => snapshot.tree !== tree.baseTree,
    () => true,
  );
  return isChanged ? tree.keep('dirty') : null;
}

function contextOf(given: {
  run: string;
  request: RunRequest;
  world: RunWorld;
  signal: AbortSignal;
  emit: (event: RunEvent) => void;
  prepared: PreparedRun;
  tree: RunTree;
  isStaged: boolean;
  folder: string;
  /** To the environment of whoever works in the tree. */
  added: Readonly<Record<string, string>>;
  started: number;
  agent: RunContext['agent'];
}): RunContext {
  const { run, request, world, signal, emit, prepared, tree, isStaged } = given;
  const { folder, added, started, agent } = given;
  const { role, model, flags, permissions } = prepared;
  return {
    ...{ run, request, world, signal, emit, tree, isStaged, folder, agent, role, model, flags },
    permissions,
    schema: answerSchemaFor(role),
    gates: [...role.gates, ...(request.gates ?? [])],
    agentEnv: { ...withoutGitVariables(world.env), ...prepared.gitEnvironment, ...added },
    gateEnv: gateEnvironment(world.env, request.gateVariables ?? [], added),
    timeoutMs:
      request.timeoutMs ?? (role.config.timeout === null ? DEFAULT_TIMEOUT_MS : role.config.timeout * 1000),
    deadlineAt: started + (request.deadlineMs ?? DEFAULT_DEADLINE_MS),
  };
}

/** A gate that says no is no fault of the agent's service; a run that was cancelled says nothing about it. */
function verdictOf({ reason }: LoopResult): BreakerVerdict {
  if (reason === 'cancelled') return 'unknown';
  return reason === 'agent-failed' || reason === 'agent-timed-out' || reason === 'answer-refused'
    ? 'failed'
    : 'worked';
}
