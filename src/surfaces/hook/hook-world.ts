import { join } from 'node:path';
import { cacheDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { askServer } from '../server/ask-server.ts';
import { readServerState } from '../server/server-state.ts';
import { worldOf } from '../server/server-world.ts';
import { startAside, startServer } from '../server/start-server.ts';
import type { HookJob } from './hook-message.ts';
import { type HookThread, listenTo, startHookThread } from './hook-thread.ts';
import { loadHookWork } from './load-hook-work.ts';
import type { HookWorld } from './run-hook.ts';

/** The real world around a hook, on these streams. */
export function hookWorld({
  stdin,
  stdout,
  env,
  cwd,
}: Pick<HookWorld, 'stdin' | 'stdout' | 'cwd'> & { readonly env: Environment }): HookWorld {
  const directory = cacheDirectory(env);
  const world = worldOf(env);
  return {
    stdin,
    stdout,
    environment: env,
    cwd,
    hasServer: () => readServerState(directory)?.world === world,
    askServer: (event, client, body, timeoutMs) =>
      askServer({ cacheDirectory: directory, world, event, client, body, timeoutMs }),
    start: (job, isQuick) => (isQuick ? startHookHere(job) : startHookThread(job)),
    warmUp: (root, cache) => warmUp(root, cache, env),
    startServer: (root, cache) => startServer(root, cache, env),
  };
}

/** One attempt in this time: a repository that cannot be scanned must not keep the machine busy. */
const SCAN_EVERY_MS = 10 * 60_000;

/** Starts a scan that outlives the hook: without an index no hook would ever have the time to build one. */
export function warmUp(root: string, cacheDirectory: string, environment: Environment): void {
  const words = ['scan', '--repo', root, '--quiet'];
  const mark = join(cacheDirectory, 'hook', 'warming');
  startAside({ words, mark, everyMs: SCAN_EVERY_MS, root, environment });
}

/**
 * Does the work in this very thread, which saves the start of another one. Nobody can cut it short while it computes:
 * for repositories whose hooks are known to be quick. Whatever goes wrong is a problem to be logged, as in a thread.
 */
export function startHookHere(job: HookJob): HookThread {
  const { heard, ended, ...thread } = listenTo();
  const fail = (error: unknown) => ended(error instanceof Error ? error.message : String(error));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  let begin = (_: string): void => {};
  try {
    loadHookWork(job, {
      onInput: (use) => {
        begin = use;
      },
      say: heard,
    });
  } catch (error) {
    fail(error);
  }
  return { ...thread, begin: (input) => begin(input) };
}
