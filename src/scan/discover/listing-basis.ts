import type { ListingBasis } from '../../model/snapshot.ts';
import { wallClockMs } from '../../platform/clock.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { HiddenFiles } from './find-hidden-files.ts';
import { LOADOUT_IGNORE } from './loadout-ignore.ts';

/** A longer one would cost more to keep than it saves. */
const MAX_PATHS = 20_000;
/** A folder that changed this shortly ago may change again without a new time. */
const RACY_MS = 2_000;

/** The basis, or null when it is too long to be worth keeping. */
export function keepBasis(basis: ListingBasis): ListingBasis | null {
  const { untracked, modified, unwatched, attributed, folders } = basis;
  const paths = [untracked, modified, unwatched, attributed, folders].reduce(
    (sum, { length }) => sum + length,
    0,
  );
  return paths > MAX_PATHS ? null : basis;
}

/** The root's own rules count even when git ignores the file that holds them. */
export function rulesState(root: SafeRoot): string {
  const stat = root.stat(LOADOUT_IGNORE);
  if (stat === null) return '';
  const { size, mtimeMs, ctimeMs, inode } = stat.hint;
  return `${stat.type} ${size} ${mtimeMs} ${ctimeMs} ${inode}`;
}

export function hiddenPaths({ special, unreadableFolders }: HiddenFiles): readonly string[] {
  return [...special, ...unreadableFolders];
}

/** 0 for a folder whose time says nothing yet. */
export function folderTimes(root: SafeRoot, folders: readonly string[]): ListingBasis['folders'] {
  const settled = wallClockMs() - RACY_MS;
  return folders.map((folder) => {
    const changedMs = root.stat(folder)?.hint.ctimeMs ?? 0;
    return [folder, changedMs < settled ? changedMs : 0];
  });
}
