import { join } from 'node:path';
import type { Environment } from '../../platform/environment.ts';
import { startAside } from '../server/start-server.ts';

/** One attempt in this time: a repository that cannot be scanned must not keep the machine busy. */
const SCAN_EVERY_MS = 10 * 60_000;

/** Starts a scan that outlives the hook: without an index no hook would ever have the time to build one. */
export function warmUp(root: string, cacheDirectory: string, environment: Environment): void {
  const words = ['scan', '--repo', root, '--quiet'];
  const mark = join(cacheDirectory, 'hook', 'warming');
  startAside({ words, mark, everyMs: SCAN_EVERY_MS, root, environment });
}
