import { setTimeout as delay } from 'node:timers/promises';
import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';
import { WRITER_LOCK } from '../format/index.ts';

/** The right to write the index of a repository. */
export interface Turn {
  /** Another writer was at work meanwhile: what the index holds is worth a second look. */
  readonly waited: boolean;
  release(): void;
}

const POLL_MS = 50;
const MAX_WAIT_MS = 60_000;

/** For a scan that writes no segments. */
export const NO_TURN: Turn = { waited: false, release: () => {} };

/**
 * Waits until no other process writes this index. After a minute the work begins all the same: two writers
 * cost time and nothing else, because no two write the same file and a commit is one rename.
 */
export async function takeTurn(cache: CacheFolder, signal: AbortSignal | undefined): Promise<Turn> {
  const path = cache.filePath(WRITER_LOCK);
  const started = monotonicMs();
  let lock = tryLock(path);
  const waited = lock === null;
  while (lock === null && monotonicMs() - started < MAX_WAIT_MS) {
    await delay(POLL_MS, undefined, signal ? { signal } : {});
    lock = tryLock(path);
  }
  return { waited, release: () => lock?.release() };
}
