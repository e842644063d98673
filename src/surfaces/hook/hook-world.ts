import { cacheDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { askServer } from '../server/ask-server.ts';
import { readServerState } from '../server/server-state.ts';
import { worldOf } from '../server/server-world.ts';
import { startServer } from '../server/start-server.ts';
import { startHookHere } from './hook-here.ts';
import { startHookThread } from './hook-thread.ts';
import type { HookWorld } from './run-hook.ts';
import { warmUp } from './warm-up.ts';

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
