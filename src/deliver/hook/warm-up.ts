import { spawn } from 'node:child_process';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { workerModule } from '../../platform/host.ts';

/** One attempt in this time: a repository that cannot be scanned must not keep the machine busy. */
const EVERY_MS = 10 * 60_000;

/** Starts a scan that outlives the hook: without an index no hook would ever have the time to build one. */
export function warmUp(root: string, cacheDirectory: string, environment: Environment): void {
  const mark = join(cacheDirectory, 'hook', 'warming');
  try {
    const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (wallClockMs() - last < EVERY_MS) return;
    mkdirSync(join(cacheDirectory, 'hook'), { recursive: true, mode: 0o700 });
    writeFileSync(mark, root, { mode: 0o600 });
    startAside(['scan', '--repo', root, '--quiet'], root, environment);
  } catch {
    // the next hook tries again
  }
}

/** Starts the server, which ends by itself when nobody asks; a second one refuses to run beside the first. */
export function startServer(root: string, environment: Environment): void {
  try {
    startAside(['serve', '--quiet'], root, environment);
  } catch {
    // without it hooks are slower, and that is all
  }
}

function startAside(words: readonly string[], cwd: string, environment: Environment): void {
  const child = spawn(process.execPath, [workerModule('cli'), ...words], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { ...environment },
  });
  child.on('error', () => {});
  child.unref();
}
