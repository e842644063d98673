import type { Diagnostic } from '../../model/diagnostic.ts';
import { withoutGitVariables } from '../../platform/git/git-child-environment.ts';
import { finishCrashed } from '../finish-crashed.ts';
import { gateEnvironment } from '../gates/gate-environment.ts';
import { prepareRun } from '../prepare-run.ts';
import type { GateCommand, RunRequest, RunWorld } from '../run-request.ts';
import { reapTrees } from '../worktrees/reap-trees.ts';
import { takeTree } from '../worktrees/run-tree.ts';
import { openTreePlace } from '../worktrees/tree-place.ts';
import { checkGuards, runLoopGuard } from './loop-guard.ts';
import { runLoopWorker } from './loop-worker.ts';
import type { LoopWorld } from './loop-world.ts';

export interface LoopWorkers {
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
export async function createLoopWorld(
  workers: LoopWorkers,
  world: RunWorld,
  buildPackage: LoopWorld['buildPackage'],
): Promise<{ readonly loopWorld: LoopWorld; readonly diagnostics: readonly Diagnostic[] }> {
  const requestFor = (role: string): RunRequest => ({
    ...{ repository: workers.repository, task: '', role },
    ...(workers.cli === undefined ? {} : { cli: workers.cli }),
    ...(workers.model === undefined ? {} : { model: workers.model }),
    ...(workers.permissions === undefined ? {} : { permissions: workers.permissions }),
  });
  // Also says early what would stop every iteration: no such role, no such agent, no trust.
  const prepared = await prepareRun(requestFor(workers.role), world);
  world.findAgent(prepared.cli, prepared.root.path);
  const place = openTreePlace(prepared.git, world.cacheDirectory);
  const crashed = await reapTrees(place, (one) => finishCrashed(one, world.wallClockMs));
  const gitEnv = prepared.gitEnvironment;
  const timeoutMs = workers.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const gates = [...prepared.role.gates, ...workers.guards];
  const guardSetting = { gates, timeoutMs, env: gateEnvironment(world.env, [], {}) };
  await checkGuards(guardSetting, prepared.root.path);
  const agentEnv = { ...withoutGitVariables(world.env), ...gitEnv };
  return {
    diagnostics: [...prepared.diagnostics, ...crashed.flat()],
    loopWorld: {
      takeTree: (run, commit) => takeTree(place, run, commit),
      runWorker: async (request) => {
        const own = requestFor(request.role);
        const run = request.role === workers.role ? prepared : await prepareRun(own, world);
        return runLoopWorker(request, { request: own, world, prepared: run, agentEnv, timeoutMs });
      },
      runGuard: gates.length === 0 ? null : (request) => runLoopGuard(request, guardSetting),
      buildPackage,
      wallClockMs: world.wallClockMs,
    },
  };
}
