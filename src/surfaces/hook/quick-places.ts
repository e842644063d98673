import { createHash } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolders } from '../../platform/fs/make-folder.ts';
import { locateRepository } from '../../platform/git/locate-repository.ts';

/** What is answered in this time leaves room in every time limit that a client sets. */
const QUICK_MS = 1_000;

/** Whether the last hook in the repository around a directory was answered quickly. */
export function wasQuick(cacheDirectory: string, directory: string): boolean {
  const place = locateRepository(directory);
  if (place.kind !== 'found') return false;
  try {
    return statSync(markOf(cacheDirectory, place.workTree), { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}

/** Remembers how long an answer about a repository took. */
export function noteTime(cacheDirectory: string, root: string, milliseconds: number): void {
  const mark = markOf(cacheDirectory, root);
  try {
    if (milliseconds > QUICK_MS) rmSync(mark, { force: true });
    else {
      createFolders(join(mark, '..'), 0o700);
      writeFileSync(mark, '', { mode: 0o600, flag: 'wx' });
    }
  } catch {
    // known already, or not to be remembered: either way the next hook is answered
  }
}

function markOf(cacheDirectory: string, root: string): string {
  return join(cacheDirectory, 'hook', 'quick', createHash('sha256').update(root).digest('hex').slice(0, 24));
}
