import { librarySettings } from '../../config/load-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { withoutGitVariables } from '../../platform/git/git-hardening.ts';
import { openIndexSession } from '../../scan/index.ts';
import {
  finishCrashed,
  type GateCommand,
  gateEnvironment,
  openTreePlace,
  prepareRun,
  type RunEnvironment,
  type RunRequest,
  reapTrees,
  takeTree,
} from '../index.ts';
import { checkGates, runLoopGates } from './loop-gates.ts';
import type { BuildLoopPackage } from './loop-prompt.ts';
import { runLoopWorker } from './loop-worker.ts';
import { type OpenLoop, withLoop } from './open-loop.ts';
import { type LoopEnvironment, type StepOptions, type StepReport, stepLoop } from './step-loop.ts';

/** Which loop to run, with which workers, and who is told. */
export interface TaskTreeRequest
  extends Omit<LoopWorkers, 'guards' | 'signal' | 'role'>,
    Pick<DriveOptions, 'most' | 'onStep' | 'onReport'> {
  /** The folder of the loop in the repository. */
  readonly folder?: string | undefined;
  /** For nodes that name none; the implementer without it. */
  readonly role?: string;
  /** On top of the environment's variables and the defaults; `loopGuard` is the command that checks the work. */
  readonly settings?: Partial<Settings>;
  readonly signal?: AbortSignal;
  readonly onDiagnostics?: (diagnostics: readonly Diagnostic[]) => void;
}

const NO_GUARD: Diagnostic = {
  code: 'no-guard',
  severity: 'warning',
  message: 'there is no guard: a node passes when its worker says so (--guard COMMAND checks it)',
};

/**
 * Works on a task tree, one node in each iteration. Each worker starts from nothing but the tree, the files and what the
 * attempt before it left.
 *
 * @example
 * await startLoop({ repository: '.', goal: 'Make login work' });
 * const settings = { loopGuard: 'npm test' };
 * const { outcome } = await runTaskTree({ repository: '.', settings }, createRunEnvironment());
 */
export function runTaskTree(request: TaskTreeRequest, environment: RunEnvironment): Promise<DriveResult> {
  const { repository, folder, role = 'implementer', signal = new AbortController().signal } = request;
  const settings = librarySettings(request.settings);
  return withLoop(repository, folder, async (loop) => {
    // Refuse before anything is started: a wrong branch, role, agent or guard would stop every iteration.
    await loop.checkBranch();
    const guards = settings.loopGuard === '' ? [] : [settings.loopGuard];
    const source = { repository: loop.place.root.path, settings, loopFolder: loop.place.folder, signal };
    const { loopEnvironment, diagnostics } = await createLoopEnvironment(
      { ...request, role, signal, guards },
      environment,
      settings.loopPackage ? (task, bytes) => buildLoopPackage(source, task, bytes) : null,
    );
    const noGuard = loopEnvironment.runGuard === null ? [NO_GUARD] : [];
    request.onDiagnostics?.([...loop.diagnostics, ...diagnostics, ...noGuard]);

    // Then step through the tree.
    return driveLoop(loop, loopEnvironment, {
      ...{ role, promptBytes: settings.loopPromptBytes, signal, most: request.most },
      ...(request.onDiagnostics === undefined ? {} : { onDiagnostics: request.onDiagnostics }),
      ...(request.onStep === undefined ? {} : { onStep: request.onStep }),
      ...(request.onReport === undefined ? {} : { onReport: request.onReport }),
    });
  });
}

interface DriveOptions extends StepOptions {
  /** The largest number of iterations; without it until the tree passes or is stuck. */
  readonly most?: number | undefined;
  readonly onReport?: (report: StepReport) => void;
}

/** Where the loop stopped, and its steps. */
export interface DriveResult {
  /** `open`: the iterations were used up. */
  readonly outcome: 'passed' | 'stuck' | 'open';
  readonly steps: readonly StepReport[];
}

/** Steps until the tree passes, is stuck, or the iterations are used up. Every step is counted, so it ends. */
async function driveLoop(
  loop: OpenLoop,
  environment: LoopEnvironment,
  options: DriveOptions,
): Promise<DriveResult> {
  const steps: StepReport[] = [];
  while (steps.length < (options.most ?? Number.POSITIVE_INFINITY)) {
    const report = await stepLoop(loop, environment, options);
    steps.push(report);
    options.onReport?.(report);
    if (report.outcome !== 'open') return { outcome: report.outcome, steps };
  }
  return { outcome: 'open', steps };
}

/** The workers of a loop. */
interface LoopWorkers {
  readonly repository: string;
  readonly role: string;
  /** The user's own checks; those of the role come before them. */
  readonly guards: readonly GateCommand[];
  readonly cli?: RunRequest['cli'];
  readonly model?: string;
  readonly permissions?: RunRequest['permissions'];
  /** For one worker, and for each check. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 1_800_000;

/** The real environment of a loop: agents in work trees of their own, checked by gates. */
export async function createLoopEnvironment(
  workers: LoopWorkers,
  environment: RunEnvironment,
  buildPackage: BuildLoopPackage | null,
): Promise<{ readonly loopEnvironment: LoopEnvironment; readonly diagnostics: readonly Diagnostic[] }> {
  const requestFor = (role: string): RunRequest => ({
    ...{ repository: workers.repository, task: '', role },
    ...(workers.cli === undefined ? {} : { cli: workers.cli }),
    ...(workers.model === undefined ? {} : { model: workers.model }),
    ...(workers.permissions === undefined ? {} : { permissions: workers.permissions }),
  });
  // Throws when the role or the agent is missing, or the repository is not trusted.
  const prepared = await prepareRun({ ...requestFor(workers.role), gates: workers.guards }, environment);
  environment.findAgent(prepared.cli, prepared.root.path);
  const place = openTreePlace(prepared.git, environment.cacheDirectory);
  const crashed = await reapTrees(place, (one) => finishCrashed(one, environment.wallClockMs));
  const timeoutMs = workers.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const gates = [...prepared.role.gates, ...workers.guards];
  const gateSetting = { gates, timeoutMs, env: gateEnvironment(environment.env, [], {}) };
  await checkGates(gateSetting, prepared.root.path);
  const agentEnv = { ...withoutGitVariables(environment.env), ...prepared.gitEnvironment };
  return {
    diagnostics: [...prepared.diagnostics, ...crashed.flat()],
    loopEnvironment: {
      takeTree: (run, commit) => takeTree(place, run, commit),
      runWorker: async (request) => {
        const own = requestFor(request.role);
        const run = request.role === workers.role ? prepared : await prepareRun(own, environment);
        return runLoopWorker(request, { request: own, environment, prepared: run, agentEnv, timeoutMs });
      },
      runGuard: gates.length === 0 ? null : (request) => runLoopGates(request, gateSetting),
      buildPackage,
      wallClockMs: environment.wallClockMs,
    },
  };
}

interface PackageSource {
  readonly repository: string;
  readonly settings: Settings;
  /** Its files say nothing about the task. */
  readonly loopFolder: string;
  readonly signal: AbortSignal;
}

const BYTES_PER_TOKEN = 4;
/** Fewer tokens hold no file worth reading. */
const MIN_TOKENS = 300;
const MAX_TRIES = 4;

/** A context package of at most so many bytes; null when nothing of the repository fits. */
async function buildLoopPackage(source: PackageSource, task: string, maxBytes: number) {
  const { repository: repo, settings, loopFolder, signal } = source;
  const { buildPackage } = await import('../../context/pack.ts');
  const allow = (path: string) => !path.startsWith(`${loopFolder}/`);
  let tokens = Math.min(settings.tokenBudget, Math.floor(maxBytes / BYTES_PER_TOKEN));
  // A package has a budget in tokens: try again with a smaller one while it has too many bytes. All tries share one scan.
  const session = await openIndexSession({ repo, settings, mode: settings.scanMode, signal }, 'pinned');
  try {
    for (let tried = 0; tried < MAX_TRIES && tokens >= MIN_TOKENS; tried += 1) {
      const request = { repo, settings: { ...settings, tokenBudget: tokens }, task, allow, signal };
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
