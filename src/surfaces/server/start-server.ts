import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { wallClockMs } from '../../platform/clock.ts';
import type { Environment } from '../../platform/environment.ts';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { startApart } from '../../platform/process/start-apart.ts';

/** A server that cannot start must not be tried at every hook, and one that was stopped may come back soon. */
const SERVER_EVERY_MS = 60_000;
/** Long enough for a person to read an answer and ask again. */
const SERVER_IDLE = '15m';

/** Starts the server, which ends by itself when nobody asks; a second one refuses to run beside the first. */
export function startServer(root: string, cacheDirectory: string, environment: Environment): void {
  const words = ['serve', '--quiet', '--background', '--idle', SERVER_IDLE];
  const mark = join(cacheDirectory, 'hook', 'serving');
  startAside({ words, mark, everyMs: SERVER_EVERY_MS, root, environment });
}

export interface Aside {
  /** Of our command line. */
  readonly words: readonly string[];
  /** A file whose age tells when this was last tried. */
  readonly mark: string;
  readonly everyMs: number;
  readonly root: string;
  readonly environment: Environment;
}

/** Starts what outlives this process. What goes wrong costs time later, and nothing else. */
export function startAside({ words, mark, everyMs, root, environment }: Aside): void {
  try {
    const last = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (wallClockMs() - last < everyMs) return;
    createFolders(dirname(mark), 0o700);
    writeFileSync(mark, root, { mode: 0o600 });
    startApart(words, root, environment);
  } catch {
    // the next one tries again
  }
}
