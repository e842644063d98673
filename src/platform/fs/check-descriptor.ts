import type { Stats } from 'node:fs';
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import type { SkipReason } from '../../model/file-entry.ts';
import { isInsideRoot } from './inside-root.ts';
import { decodePath, encodePath, withSlashes } from './path-codec.ts';

/**
 * Checks the file that was really opened, because a path may have changed its meaning since it was looked at.
 * Null when the descriptor is the file at `fullPath`, reached through real folders inside the root.
 */
export function checkDescriptor(
  root: string,
  fullPath: string,
  descriptor: number,
  stats: Stats,
): SkipReason | null {
  const opened = openedPath(fullPath, descriptor, stats);
  if (opened === fullPath) return null;
  if (opened === null) return 'vanished';
  if (!isInsideRoot(root, opened)) return opened === `${fullPath} (deleted)` ? 'vanished' : 'outside-root';
  // Inside, but under another name: through a link, or a file system that folds case.
  return hasLinkedFolder(root, fullPath) ? 'symlink' : null;
}

function openedPath(fullPath: string, descriptor: number, stats: Stats): string | null {
  if (process.platform === 'linux') {
    try {
      return decodePath(readlinkSync(`/proc/self/fd/${descriptor}`, 'buffer'));
    } catch {
      // No /proc here: compare the way other systems do.
    }
  }
  const real = realpathSync.native(encodePath(fullPath), 'buffer');
  const now = statSync(real);
  return now.dev === stats.dev && now.ino === stats.ino ? withSlashes(decodePath(real)) : null;
}

function hasLinkedFolder(root: string, fullPath: string): boolean {
  let end = fullPath.lastIndexOf('/');
  while (end > root.length) {
    if (lstatSync(encodePath(fullPath.slice(0, end))).isSymbolicLink()) return true;
    end = fullPath.lastIndexOf('/', end - 1);
  }
  return false;
}
