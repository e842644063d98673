// A run from the request to its record. `execute` is the recipe: prepare, claim a work tree, let the agent try, save
// the result. Everything that was taken is always given back at the end.
import { answerSchemaFor } from '../context/answers/index.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { makeFolder, removeFolder } from '../platform/fs/make-folder.ts';
import { withoutGitVariables } from '../platform/git/git-hardening.ts';
import { type AttemptsResult, runAttempts } from './attempts.ts';
import { BreakerStore, type BreakerVerdict } from './breaker.ts';
import { finishRun } from './finish-run.ts';
import { gateEnvironment } from './gates.ts';
import { findUnseen, type PreparedRun, prepareRun } from './prepare-run.ts';
import { type EventLog, makeRunFolder, newRunId, openEventLog } from './run-log.ts';
import type { RunEvent, RunResult, StoredEvent } from './run-record.ts';
import type { RunContext, RunEnvironment, RunRequest } from './run-request.ts';
import { type ClaimedTree, claimTree, finishCrashed, type RunTree, reapTrees } from './worktrees/run-tree.ts';
import { findStaged } from './worktrees/staged-tree.ts';
import { type KeptTree, openTreePlace } from './worktrees/tree-place.ts';

/** A run that has begun. */
export interface RunHandle {
  readonly run: string;
  /** For one reader; ends with the run. A caller need not read them. */
  readonly events: AsyncIterable<StoredEvent>;
  /** Rejects with a `LoadoutError` when the run could not begin. */
  readonly result: Promise<RunResult>;
  /** Ends everything that the run has started. */
  cancel(): void;
}

/** Ten minutes for an attempt or a gate, an hour for all attempts together. */
const DEFAULT_TIMEOUT_MS = 600_000;
const DEFAULT_DEADLINE_MS = 3_600_000;
const DEFAULT_RETRIES = 2;

/**
 * Runs an agent on a role and a task in a work tree of its own. A run passes only with an answer in the role's form and
 * work that passes every gate.
 */
export function runRole(request: RunRequest, environment: RunEnvironment): RunHandle {
  const run = newRunId(environment.wallClockMs());
  const controller = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, controller.signal]) : controller.signal;
  // Lines of output may be dropped when the caller reads slowly. All other events arrive.
  const channel = new EventChannel<StoredEvent>((event) => event.type === 'agent-output');
  const result = execute(run, request, environment, signal, (event) => channel.push(event));
  const ended = () => channel.close();
  // This also avoids an unhandled rejection when the caller does not await the result.
  result.then(ended, ended);
  return { run, events: channel, result, cancel: () => controller.abort() };
}

/** The whole run, from the request to its record. */
async function execute(
  run: string,
  request: RunRequest,
  environment: RunEnvironment,
  signal: AbortSignal,
  tell: (event: StoredEvent) => void,
): Promise<RunResult> {
  const started = environment.monotonicMs();
  const startedAt = new Date(environment.wallClockMs()).toISOString();

  // Refuse everything that cannot begin.
  const prepared = await prepareRun(request, environment);
  const { root, git, commit, role, cli, model } = prepared;
  const agent = environment.findAgent(cli, root.path);
  if (signal.aborted) throw new LoadoutError('cancelled', 'the run was cancelled before it began');
  const breaker = new BreakerStore(environment.cacheDirectory, environment.wallClockMs);
  const key = { role: role.name, cli, model };
  await breaker.enter(key, run);
  let verdict: BreakerVerdict = 'unknown';
  let log: EventLog | null = null;
  let claimed: ClaimedTree | null = null;
  try {
    // Clean up after runs that were killed, then find out what the worker starts from.
    const place = openTreePlace(git, environment.cacheDirectory);
    const crashed = (await reapTrees(place, (one) => finishCrashed(one, environment.wallClockMs))).flat();
    const staged = await findStaged(request, prepared, place, run);

    // Claim a work tree before anything of the run is written: if this process dies, the next run finds the claim and
    // writes the end.
    claimed = await claimTree(place, run, commit);
    const folder = makeRunFolder(root, run);
    const events = openEventLog(folder, run, environment.wallClockMs);
    log = events;
    const emit = (event: RunEvent): void => {
      const stored = events.append(event);
      if (stored !== null) tell(stored);
    };
    emit({ type: 'run-start', role: role.name, cli, model, task: request.task, commit });
    const tree = await claimed.prepare(staged.tree);
    const temporary = `${place.temporary}/${run}`;
    try {
      makeFolder(temporary);
      emit({ type: 'tree-ready', path: tree.path });
      const isStaged = staged.tree !== null;
      const unseen = request.change ? [] : await findUnseen(git, isStaged ? null : commit);

      // Let the agent work until an attempt passes or another one cannot help.
      const context = contextOf({
        ...{ run, request, environment, signal, emit, prepared, tree, isStaged, folder, started },
        agent: agent.adapter,
        added: { TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      });
      const maxRetries = request.maxRetries ?? role.config.maxRetries ?? DEFAULT_RETRIES;
      const attempts = await runAttempts(context, 1 + maxRetries);
      verdict = verdictOf(attempts);

      // Save the patch, the record and the end of the run.
      const cliVersion = attempts.attempts.length === 0 ? null : await readVersion(agent);
      const diagnostics = [...prepared.diagnostics, ...crashed, ...staged.diagnostics, ...unseen];
      return await finishRun({ context, prepared, attempts, startedAt, started, cliVersion, diagnostics });
    } catch (error) {
      const kept = await abandon(tree);
      if (kept !== null) emit({ type: 'tree-kept', path: kept.path, why: kept.why });
      throw error;
    } finally {
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

/** After a bug or a full disk: keeps the tree if the agent has changed something. */
async function abandon(tree: RunTree): Promise<KeptTree | null> {
  const isChanged = await tree.snapshot().then(
    (snapshot) => snapshot.tree !== tree.baseTree,
    () => true,
  );
  return isChanged ? tree.keep('dirty') : null;
}

/** Puts the request, the role's settings and the defaults together. */
function contextOf(given: {
  run: string;
  request: RunRequest;
  environment: RunEnvironment;
  signal: AbortSignal;
  emit: (event: RunEvent) => void;
  prepared: PreparedRun;
  tree: RunTree;
  isStaged: boolean;
  folder: string;
  /** More variables for the agent and the gates. */
  added: Readonly<Record<string, string>>;
  started: number;
  agent: RunContext['agent'];
}): RunContext {
  const { run, request, environment, signal, emit, prepared, tree, isStaged } = given;
  const { folder, added, started, agent } = given;
  const { role, model, flags, permissions } = prepared;
  return {
    ...{ run, request, environment, signal, emit, tree, isStaged, folder, agent, role, model, flags },
    permissions,
    schema: answerSchemaFor(role),
    gates: [...role.gates, ...(request.gates ?? [])],
    agentEnv: { ...withoutGitVariables(environment.env), ...prepared.gitEnvironment, ...added },
    gateEnv: gateEnvironment(environment.env, request.gateVariables ?? [], added),
    timeoutMs:
      request.timeoutMs ?? (role.config.timeout === null ? DEFAULT_TIMEOUT_MS : role.config.timeout * 1000),
    deadlineAt: started + (request.deadlineMs ?? DEFAULT_DEADLINE_MS),
  };
}

/** A gate that fails is not a failure of the agent's service. A cancelled run says nothing about it. */
function verdictOf({ reason }: AttemptsResult): BreakerVerdict {
  if (reason === 'cancelled') return 'unknown';
  return reason === 'agent-failed' || reason === 'agent-timed-out' || reason === 'answer-refused'
    ? 'failed'
    : 'worked';
}

/** Passes events from one writer to one reader. Some are dropped when the reader is slow or absent, to save memory. */
class EventChannel<Event> implements AsyncIterable<Event> {
  readonly #waiting: Event[] = [];
  readonly #mayDrop: (event: Event) => boolean;
  #wake: (() => void) | null = null;
  #isClosed = false;

  constructor(mayDrop: (event: Event) => boolean) {
    this.#mayDrop = mayDrop;
  }

  /** Adds an event, or drops it when too many wait already. */
  push(event: Event): void {
    if (this.#isClosed || (this.#waiting.length >= MAX_WAITING && this.#mayDrop(event))) return;
    this.#waiting.push(event);
    this.#wake?.();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const event = this.#waiting.shift();
      if (event !== undefined) yield event;
      else if (this.#isClosed) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** Events that wait for the reader before output lines are dropped. */
const MAX_WAITING = 256;

/** Some CLIs need a second to print their version. A run does not wait longer for it. */
const VERSION_PATIENCE_MS = 1_000;

/** Null when the program does not print its version in time. */
function readVersion(agent: ReturnType<RunEnvironment['findAgent']>): Promise<string | null> {
  return agent.readVersion(AbortSignal.timeout(VERSION_PATIENCE_MS)).catch(() => null);
}

/** A run that could not begin. */
export interface RefusedRun {
  readonly task: string;
  readonly error: LoadoutError;
}

/** How several runs share the time. */
export interface RunManyOptions {
  /** The number of runs at the same time. (default: 1) */
  readonly parallel?: number;
  readonly onEvent?: (event: StoredEvent) => void;
}

/** Runs each request in a work tree of its own, in the given order, some at the same time. A failure stops no other run. */
export async function runMany(
  requests: readonly RunRequest[],
  environment: RunEnvironment,
  { parallel = 1, onEvent }: RunManyOptions = {},
): Promise<readonly (RunResult | RefusedRun)[]> {
  const results: (RunResult | RefusedRun)[] = [];
  const waiting = [...requests.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, request] = next;
      results[at] = await runOne(request, environment, onEvent);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, parallel) }, work));
  return results;
}

/** Turns a run that could not begin into a value, so that the others go on. */
async function runOne(
  request: RunRequest,
  environment: RunEnvironment,
  onEvent: RunManyOptions['onEvent'],
): Promise<RunResult | RefusedRun> {
  if (request.signal?.aborted)
    return { task: request.task, error: new LoadoutError('cancelled', 'it was cancelled before it began') };
  const handle = runRole(request, environment);
  try {
    for await (const event of handle.events) onEvent?.(event);
    return await handle.result;
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return { task: request.task, error };
  }
}
