// The real environment of a loop: agents in work trees of their own, gates, packages from the index. Tests
// replace it by one without agents.
import type { Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside } from '../../platform/fs/make-folder.ts';
import { withoutGitVariables } from '../../platform/git/git-hardening.ts';
import { safeJson } from '../../redact/index.ts';
import { openIndexSession } from '../../scan/index.ts';
import {
  type AttemptsResult,
  BreakerStore,
  type BreakerVerdict,
  finishCrashed,
  type GateCommand,
  gateEnvironment,
  openTreePlace,
  type PreparedRun,
  prepareRun,
  type RunContext,
  type RunEnvironment,
  type RunEvent,
  type RunReason,
  type RunRequest,
  type RunTree,
  reapTrees,
  runAttempts,
  takeTree,
} from '../index.ts';
import { checkGates, type GatesOutcome, type GatesRequest, runLoopGates } from './judge-work.ts';
import { type LoopAnswer, loopAnswer } from './loop-files.ts';
import type { BuildLoopPackage } from './loop-prompt.ts';
import type { TreeNode } from './task-tree.ts';

/** Everything an iteration needs from outside: a work tree, a worker, gates, packages and a clock. */
export interface LoopEnvironment {
  /** Takes a work tree at a commit. It belongs to the run until it is given back. */
  takeTree(run: string, commit: string): Promise<RunTree>;
  runWorker(request: WorkerRequest): Promise<WorkerOutcome>;
  /** Null when there is no check: then the worker's word counts. */
  readonly runGates: ((request: GatesRequest) => Promise<GatesOutcome>) | null;
  /** Packages for a role, without the files that guidelines keep from it. Null for prompts without a package. */
  readonly packageFor: ((role: string) => BuildLoopPackage) | null;
  wallClockMs(): number;
}

/** The workers of a loop. */
export interface LoopWorkers {
  readonly repository: string;
  readonly role: string;
  /** The user's own gates; those of the role come before them. */
  readonly gates: readonly GateCommand[];
  readonly cli?: RunRequest['cli'];
  readonly model?: string;
  readonly permissions?: RunRequest['permissions'];
  /** For one worker, and for each check. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

/** Half an hour for one worker, and for each gate. */
const DEFAULT_TIMEOUT_MS = 1_800_000;

/** The real environment of a loop: agents in work trees of their own, checked by gates. */
export async function createLoopEnvironment(
  workers: LoopWorkers,
  environment: RunEnvironment,
  packageFor: LoopEnvironment['packageFor'],
): Promise<{ readonly loopEnvironment: LoopEnvironment; readonly diagnostics: readonly Diagnostic[] }> {
  const requestFor = (role: string): RunRequest => ({
    ...{ repository: workers.repository, task: '', role },
    ...(workers.cli === undefined ? {} : { cli: workers.cli }),
    ...(workers.model === undefined ? {} : { model: workers.model }),
    ...(workers.permissions === undefined ? {} : { permissions: workers.permissions }),
  });
  // Throws when the role or the agent is missing, or the repository is not trusted.
  const prepared = await prepareRun({ ...requestFor(workers.role), gates: workers.gates }, environment);
  environment.findAgent(prepared.cli, prepared.root.path);
  // Clean up after loops and runs that were killed, before the first work tree is taken.
  const place = openTreePlace(prepared.git, environment.cacheDirectory);
  const crashed = await reapTrees(place, (one) => finishCrashed(one, environment.wallClockMs));
  const timeoutMs = workers.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const gates = [...prepared.role.gates, ...workers.gates];
  const gateSetting = { gates, timeoutMs, env: gateEnvironment(environment.env, [], {}) };
  // A gate that cannot start would cost the work of a whole iteration.
  await checkGates(gateSetting, prepared.root.path);
  const agentEnv = { ...withoutGitVariables(environment.env), ...prepared.gitEnvironment };
  return {
    diagnostics: [...prepared.diagnostics, ...crashed.flat()],
    loopEnvironment: {
      takeTree: (run, commit) => takeTree(place, run, commit),
      runWorker: async (request) => {
        // Nodes may name roles of their own. Each is prepared when its node is reached.
        const own = requestFor(request.role);
        const run = request.role === workers.role ? prepared : await prepareRun(own, environment);
        return runLoopWorker(request, { request: own, environment, prepared: run, agentEnv, timeoutMs });
      },
      runGates: gates.length === 0 ? null : (request) => runLoopGates(request, gateSetting),
      packageFor,
      wallClockMs: environment.wallClockMs,
    },
  };
}

interface PackageSource {
  readonly repository: string;
  /** Of the worker: guidelines may keep files from it. */
  readonly role: string;
  readonly settings: Settings;
  /** The folder of the loop's own files, which say nothing about the task. */
  readonly loopFolder: string;
  readonly signal: AbortSignal;
}

/** A guess for the first try. The bytes of the package are measured, so a wrong guess costs a try and nothing else. */
const BYTES_PER_TOKEN = 4;
/** Fewer tokens hold no file worth reading. */
const MIN_TOKENS = 300;
/** Two are nearly always enough. */
const MAX_TRIES = 4;

/** A context package of at most so many bytes; null when nothing of the repository fits. */
export async function buildLoopPackage(source: PackageSource, task: string, maxBytes: number) {
  const { repository: repo, role, settings, loopFolder, signal } = source;
  const { buildPackage } = await import('../../context/pack.ts');
  const allow = (path: string) => !path.startsWith(`${loopFolder}/`);
  let tokens = Math.min(settings.tokenBudget, Math.floor(maxBytes / BYTES_PER_TOKEN));
  // A package has a budget in tokens: try again with a smaller one while it has too many bytes. All tries share one scan.
  const session = await openIndexSession({ repo, settings, mode: settings.scanMode, signal }, 'pinned');
  try {
    for (let tried = 0; tried < MAX_TRIES && tokens >= MIN_TOKENS; tried += 1) {
      const request = { repo, settings: { ...settings, tokenBudget: tokens }, task, role, allow, signal };
      const { pack, text } = await buildPackage(request, session);
      const bytes = Buffer.byteLength(text);
      if (pack.items.length === 0) return null;
      if (bytes <= maxBytes) return { id: pack.id, text };
      tokens = Math.floor((tokens * maxBytes * 0.97) / bytes);
    }
    return null;
  } catch (error) {
    if (error instanceof LoadoutError && error.code === 'empty-task') return null;
    throw error;
  } finally {
    await session.close();
  }
}

/** The input of the worker of one iteration. */
export interface WorkerRequest {
  /** Marks the processes of this iteration. */
  readonly run: string;
  readonly node: TreeNode;
  readonly role: string;
  /** The prompt, with feedback when the last answer had the wrong form. Never above the budget. */
  readonly prompt: (feedback: string | null) => string;
  readonly promptId: string;
  readonly packageId: string | null;
  /** The work tree of the worker. */
  readonly tree: RunTree;
  /** Files to write into the tree before every start of the agent, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** A folder for its logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** How the worker ended. */
export type WorkerOutcome =
  | {
      readonly kind: 'answered';
      readonly answer: LoopAnswer;
      readonly log: string | null;
      /** It had no permission to edit. Files that it changed anyway are not committed. */
      readonly isReadOnly: boolean;
    }
  /** It was too slow, or its answer never had the right form. Counts as an attempt. */
  | { readonly kind: 'no-answer'; readonly message: string; readonly log: string | null }
  /** It could not work: no login, no network, no such program. Does not count as an attempt. */
  | { readonly kind: 'failed'; readonly message: string; readonly log: string | null };

/** The same for all workers of a role. */
interface WorkerSetting {
  readonly request: RunRequest;
  readonly environment: RunEnvironment;
  /** The role, the agent and its permissions, checked once. */
  readonly prepared: PreparedRun;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Calls of the agent in one iteration: again after an outage, or when its answer had the wrong form. */
const MAX_CALLS = 3;
/** Reasons that count as an attempt of the worker. Any other is not its fault. */
const OWN_FAULT: ReadonlySet<RunReason> = new Set([
  'agent-timed-out',
  'answer-refused',
  'answered-no',
  'deadline',
]);

/** Runs the worker of one iteration: an agent with the loop's own prompt and form of answer. The gates come later. */
async function runLoopWorker(request: WorkerRequest, setting: WorkerSetting): Promise<WorkerOutcome> {
  const { environment, prepared, timeoutMs } = setting;
  const { role, cli, model } = prepared;
  const found = environment.findAgent(cli, prepared.root.path);
  const breaker = new BreakerStore(environment.cacheDirectory, environment.wallClockMs);
  const key = { role: role.name, cli, model };
  // The breaker is shared with single runs: an agent that is down is not called again for each node.
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
    environment: {
      ...environment,
      buildPrompt: async ({ root, extra }) => promptFor(request, root, extra.feedback),
    },
    // For all calls together: an agent that is too slow is not started again, and the next iteration learns of it.
    deadlineAt: environment.monotonicMs() + timeoutMs,
    emit: (event) => {
      if (event.type === 'agent-end') ranOutOfTurns = event.error?.kind === 'turn-limit';
      log.push(...logLines(event));
    },
  };
  try {
    const result = await runAttempts(context, MAX_CALLS);
    verdict = verdictOf(result);
    const slow = `no answer within ${Math.round(timeoutMs / 1000)} s`;
    const message = result.reason === 'deadline' ? slow : result.message;
    const isReadOnly = prepared.permissions === 'read-only';
    return outcomeOf({ ...result, message }, ranOutOfTurns, `${log.join('\n')}\n`, isReadOnly);
  } finally {
    await breaker.leave(key, request.run, verdict);
  }
}

/** Writes the context files for every fresh start, because a tree that was reset has lost them. */
function promptFor(request: WorkerRequest, root: string, feedback: string | undefined) {
  for (const [path, content] of request.files) {
    const at = path.lastIndexOf('/');
    const folder = makeFolderInside(root, path.slice(0, at));
    writeFileAtomic(`${folder}/${path.slice(at + 1)}`, content);
  }
  const { promptId, packageId } = request;
  return { text: request.prompt(feedback ?? null), promptId, packageId, diagnostics: [] };
}

/** Tells an answer from a failed attempt, and that from a failure that is not the worker's fault. */
function outcomeOf(
  { attempts, reason, message }: AttemptsResult,
  ranOutOfTurns: boolean,
  log: string,
  isReadOnly: boolean,
): WorkerOutcome {
  const answer = attempts.at(-1)?.answer as LoopAnswer | null | undefined;
  if (reason === null && answer) return { kind: 'answered', answer, log, isReadOnly };
  const isOwnFault = ranOutOfTurns || (reason !== null && OWN_FAULT.has(reason));
  return isOwnFault ? { kind: 'no-answer', message, log } : { kind: 'failed', message, log };
}

function verdictOf({ reason }: AttemptsResult): BreakerVerdict {
  if (reason === 'cancelled') return 'unknown';
  return reason === null ? 'worked' : 'failed';
}

/** The raw output of every call is in a file of its own beside the log. */
function logLines(event: RunEvent): string[] {
  return event.type === 'agent-output' ? [] : [safeJson(event)];
}
