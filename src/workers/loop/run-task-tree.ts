import { librarySettings } from '../../config/library-settings.ts';
import type { Settings } from '../../config/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside } from '../../platform/fs/make-folder.ts';
import { withoutGitVariables } from '../../platform/git/git-hardening.ts';
import { runProcess } from '../../platform/process/process-runner.ts';
import { safeJson } from '../../redact/outgoing-text.ts';
import { type AttemptsResult, runAttempts } from '../attempts.ts';
import { BreakerStore, type BreakerVerdict } from '../breaker/breaker-store.ts';
import { finishCrashed } from '../finish-crashed.ts';
import { namesOf } from '../finish-run.ts';
import { gateEnvironment } from '../gates/gate-environment.ts';
import { gateName, runGate } from '../gates/run-gate.ts';
import { type PreparedRun, prepareRun } from '../prepare-run.ts';
import type { RunContext } from '../run-context.ts';
import type { GateReport, RunEvent, RunReason } from '../run-event.ts';
import type { GateCommand, RunEnvironment, RunRequest } from '../run-request.ts';
import { reapTrees } from '../worktrees/reap-trees.ts';
import { takeTree } from '../worktrees/run-tree.ts';
import { openTreePlace } from '../worktrees/tree-place.ts';
import { type DriveOptions, type DriveResult, driveLoop } from './drive-loop.ts';
import { type LoopAnswer, loopAnswer } from './loop-answer.ts';
import type {
  GuardOutcome,
  GuardRequest,
  LoopEnvironment,
  WorkerOutcome,
  WorkerRequest,
} from './loop-environment.ts';
import { withLoop } from './open-loop.ts';

export interface TaskTreeRequest
  extends Omit<LoopWorkers, 'guards' | 'signal' | 'role'>,
    Pick<DriveOptions, 'most' | 'onStep' | 'onReport'> {
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
 * Works on a task tree, one node an iteration, each with a worker that starts from nothing but the tree, the files and
 * what the attempt before it left.
 *
 * @example
 * await startLoop({ repository: '.', goal: 'Make login work' });
 * const { outcome } = await runTaskTree({ repository: '.', settings: { loopGuard: 'npm test' } }, createRunWorld());
 */
export function runTaskTree(request: TaskTreeRequest, environment: RunEnvironment): Promise<DriveResult> {
  const { repository, folder, role = 'implementer', signal = new AbortController().signal } = request;
  const settings = librarySettings(request.settings);
  return withLoop(repository, folder, async (loop) => {
    // Before anything is started: what would be refused later is refused now.
    await loop.checkBranch();
    const guards = settings.loopGuard === '' ? [] : [settings.loopGuard];
    const source = { repository: loop.place.root.path, settings, loopFolder: loop.place.folder, signal };
    const buildPackage = settings.loopPackage
      ? async (task: string, bytes: number) => {
          const { buildLoopPackage } = await import('./loop-package.ts');
          return buildLoopPackage(source, task, bytes);
        }
      : null;
    const { loopEnvironment, diagnostics } = await createLoopEnvironment(
      { ...request, role, signal, guards },
      environment,
      buildPackage,
    );
    const said = [
      ...loop.diagnostics,
      ...diagnostics,
      ...(loopEnvironment.runGuard === null ? [NO_GUARD] : []),
    ];
    request.onDiagnostics?.(said);
    return driveLoop(loop, loopEnvironment, {
      ...{ role, promptBytes: settings.loopPromptBytes, signal, most: request.most },
      ...(request.onDiagnostics === undefined ? {} : { onDiagnostics: request.onDiagnostics }),
      ...(request.onStep === undefined ? {} : { onStep: request.onStep }),
      ...(request.onReport === undefined ? {} : { onReport: request.onReport }),
    });
  });
}

interface LoopWorkers {
  readonly repository: string;
  readonly role: string;
  /** The user's own checks; those of the role come before them. */
  readonly guards: readonly GateCommand[];
  readonly cli?: RunRequest['cli'];
  readonly model?: string;
  readonly permissions?: RunRequest['permissions'];
  /** Of one worker, and of each check. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

const DEFAULT_TIMEOUT_MS = 1_800_000;

/** The real thing: agents in work trees of their own, checked by gates. */
export async function createLoopEnvironment(
  workers: LoopWorkers,
  environment: RunEnvironment,
  buildPackage: LoopEnvironment['buildPackage'],
): Promise<{ readonly loopEnvironment: LoopEnvironment; readonly diagnostics: readonly Diagnostic[] }> {
  const requestFor = (role: string): RunRequest => ({
    ...{ repository: workers.repository, task: '', role },
    ...(workers.cli === undefined ? {} : { cli: workers.cli }),
    ...(workers.model === undefined ? {} : { model: workers.model }),
    ...(workers.permissions === undefined ? {} : { permissions: workers.permissions }),
  });
  // Also says early what would stop every iteration: no such role, no such agent, no trust.
  const prepared = await prepareRun({ ...requestFor(workers.role), gates: workers.guards }, environment);
  environment.findAgent(prepared.cli, prepared.root.path);
  const place = openTreePlace(prepared.git, environment.cacheDirectory);
  const crashed = await reapTrees(place, (one) => finishCrashed(one, environment.wallClockMs));
  const gitEnv = prepared.gitEnvironment;
  const timeoutMs = workers.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const gates = [...prepared.role.gates, ...workers.guards];
  const guardSetting = { gates, timeoutMs, env: gateEnvironment(environment.env, [], {}) };
  await checkGuards(guardSetting, prepared.root.path);
  const agentEnv = { ...withoutGitVariables(environment.env), ...gitEnv };
  return {
    diagnostics: [...prepared.diagnostics, ...crashed.flat()],
    loopEnvironment: {
      takeTree: (run, commit) => takeTree(place, run, commit),
      runWorker: async (request) => {
        const own = requestFor(request.role);
        const run = request.role === workers.role ? prepared : await prepareRun(own, environment);
        return runLoopWorker(request, { request: own, environment, prepared: run, agentEnv, timeoutMs });
      },
      runGuard: gates.length === 0 ? null : (request) => runLoopGuard(request, guardSetting),
      buildPackage,
      wallClockMs: environment.wallClockMs,
    },
  };
}

interface GuardSetting {
  readonly gates: readonly GateCommand[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** What a shell says when it cannot start a program. */
const NOT_STARTED: ReadonlySet<number | null> = new Set([126, 127]);
const LOOKUP_MS = 10_000;
/** The program that a command begins with, behind variables that are set for it. */
const FIRST_WORD = /^\s*(?:(?!PATH=)[A-Za-z_]\w*=[\w./:-]*\s+)*([\w][\w.+-]*)(?=\s|;|&|\||$)/;

/** Checks what the commit will hold: files that it will not hold are out of sight meanwhile. */
async function runLoopGuard(request: GuardRequest, setting: GuardSetting): Promise<GuardOutcome> {
  const { tree, context } = request;
  const aside = (await tree.setAside()).filter((name) => name !== context && !name.startsWith(`${context}/`));
  try {
    const outcome = await runChecks(request, setting);
    if (outcome.passed || aside.length === 0) return outcome;
    const note = `The check ran without files that are not part of the commit: ${namesOf(aside)}`;
    return { ...outcome, log: `${outcome.log}${note}\n` };
  } finally {
    tree.bringBack();
  }
}

/** Runs the checks one after the other, by the rules of gates; the first that fails is what the next worker hears of. */
async function runChecks(
  { run, tree, before, signal }: GuardRequest,
  { gates, env, timeoutMs }: GuardSetting,
): Promise<GuardOutcome> {
  const log: string[] = [];
  for (const gate of gates) {
    const setting = { run, tree, env, timeoutMs, signal, monotonicMs };
    const { report, output } = await runGate(gate, before.tree, setting);
    signal.throwIfAborted();
    if (report.why === 'not-found') throw notStarted(gate, 'it was not found');
    if (report.why === 'exit-code' && NOT_STARTED.has(report.exitCode)) {
      const last = report.output.trimEnd().split('\n').at(-1) ?? '';
      throw notStarted(gate, `exit code ${report.exitCode}${last === '' ? '' : `: ${last}`}`);
    }
    log.push(describe(report, output));
    if (!report.passed) return { passed: false, log: `${log.at(-1)}\n` };
  }
  return { passed: true, log: `${log.join('\n\n')}\n` };
}

/** Refuses checks whose program does not exist, before a worker is paid. What only a shell can tell is left to it. */
async function checkGuards({ gates, env }: GuardSetting, folder: string): Promise<void> {
  for (const gate of gates) {
    // the shell would run nothing and say that all is well
    if (gateName(gate).trim() === '') throw notStarted(gate, 'it is empty');
    const word = typeof gate === 'string' ? FIRST_WORD.exec(gate)?.[1] : gate[0];
    // A program of the repository may be written by a worker.
    if (word === undefined || word.includes('/')) continue;
    const { outcome, exitCode } = await runProcess('/bin/sh', ['-c', 'command -v "$1"', 'sh', word], {
      cwd: folder,
      env,
      timeoutMs: LOOKUP_MS,
    });
    if (outcome === 'exited' && exitCode !== 0) throw notStarted(gate, `there is no program ${word}`);
  }
}

function notStarted(gate: GateCommand, why: string): LoadoutError {
  return new LoadoutError('guard-not-found', `the guard "${gateName(gate)}" cannot run: ${why}`, {
    subject: gateName(gate),
    hint: 'correct the command, or install the program; no attempt is counted',
  });
}

function describe({ gate, passed, why, exitCode }: GateReport, output: string): string {
  const end = passed
    ? 'passed'
    : why === 'exit-code'
      ? `failed with exit code ${exitCode}`
      : `failed: ${why}`;
  return `$ ${gate}\n${output === '' ? '' : `${output}\n`}(${end})`;
}

interface WorkerSetting {
  readonly request: RunRequest;
  readonly environment: RunEnvironment;
  readonly prepared: PreparedRun;
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Calls of the agent within one iteration: after an outage, or because its answer had the wrong form. */
const MAX_CALLS = 3;
/** The worker had its chance; everything else is the fault of somebody else. */
const OWN_FAULT: ReadonlySet<RunReason> = new Set([
  'agent-timed-out',
  'answer-refused',
  'answered-no',
  'deadline',
]);

/** One iteration's worker: an agent with the loop's own prompt and form of answer, and no gates but the guard. */
async function runLoopWorker(request: WorkerRequest, setting: WorkerSetting): Promise<WorkerOutcome> {
  const { environment, prepared, timeoutMs } = setting;
  const { role, cli, model } = prepared;
  const found = environment.findAgent(cli, prepared.root.path);
  const breaker = new BreakerStore(environment.cacheDirectory, environment.wallClockMs);
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
    environment: {
      ...environment,
      buildPrompt: async ({ root, extra }) => promptFor(request, root, extra.feedback),
    },
    // All calls together: whoever is too slow is not started again, the next iteration hears of it.
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

/** The raw output of every call lies beside it in a file of its own. */
function logLines(event: RunEvent): string[] {
  return event.type === 'agent-output' ? [] : [safeJson(event)];
}
