import { join } from 'node:path';
import { cacheDirectory } from '../../platform/cache/user-directories.ts';
import type { Environment } from '../../platform/environment.ts';
import { askServer } from '../server/ask-server.ts';
import { serverFingerprint } from '../server/server-fingerprint.ts';
import { readServerState } from '../server/server-state.ts';
import { startAside, startServer } from '../server/start-server.ts';
import { startHookThread } from './hook-thread.ts';
import type { HookProcess } from './run-hook.ts';

/** The hook process on these streams, with the server of the same installation and settings. */
export function hookProcess({
  stdin,
  stdout,
  env,
  cwd,
}: Pick<HookProcess, 'stdin' | 'stdout' | 'cwd'> & { readonly env: Environment }): HookProcess {
  const directory = cacheDirectory(env);
  const fingerprint = serverFingerprint(env);
  return {
    stdin,
    stdout,
    environment: env,
    cwd,
    hasServer: () => readServerState(directory)?.fingerprint === fingerprint,
    askServer: (event, client, body, timeoutMs) =>
      askServer({ cacheDirectory: directory, fingerprint, event, client, body, timeoutMs }),
    startThread: startHookThread,
    warmUp: (root, cache) => warmUp(root, cache, env),
    startServer: (root, cache) => startServer(root, cache, env),
  };
}

/** At most one attempt in this time: a repository that cannot be scanned must not keep the machine busy. */
const SCAN_EVERY_MS = 10 * 60_000;

/** Starts a scan that outlives the hook: a hook alone may never have the time to build the index. */
function warmUp(root: string, cacheDirectory: string, environment: Environment): void {
  const words = ['scan', '--repo', root, '--quiet'];
  const mark = join(cacheDirectory, 'hook', 'warming');
  startAside({ words, mark, everyMs: SCAN_EVERY_MS, root, environment });
}
