import type { ListingBasis } from '../../model/snapshot.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { MAX_IGNORE_FILE_BYTES } from '../../platform/fs/ignore-files.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { createIgnoreFilter, LOADOUT_IGNORE } from './ignore-rules.ts';
import { folderOf } from './inherit-by-folder.ts';

/** What git leaves out of its listing without a word. */
export interface HiddenFiles {
  /** Pipes, sockets and devices. */
  readonly special: readonly string[];
  readonly unreadableFolders: readonly string[];
  /** The folders that were looked into. */
  readonly folders: readonly string[];
}

/** Listing thousands of folders again would double the cost of a scan; those closest to the root are looked at. */
const MAX_FOLDERS = 128;

/**
 * Looks into the folders of the listed files, and into those beside them that git knows nothing of. What only the
 * user's own ignore rules leave out is named, too: git answers questions about its rules for real files only.
 */
export function findHiddenFiles(root: SafeRoot, listed: readonly string[]): HiddenFiles {
  let known: ReadonlySet<string> | null = null;
  const isKnown = (path: string): boolean => {
    known ??= new Set(listed);
    return known.has(path);
  };
  const folders = foldersOf(listed);
  const special: string[] = [];
  const unreadable: string[] = [];
  const looked: string[] = [];
  const look = (folder: string, enters: boolean): void => {
    looked.push(folder);
    const entries = root.list(folder);
    if (entries === null) {
      // a folder that was replaced by a link is another matter
      if (root.stat(folder)?.type === 'directory') unreadable.push(folder);
      return;
    }
    for (const { name, type } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (type === 'other' && !isKnown(path)) special.push(path);
      else if (enters && type === 'directory' && name !== '.git' && !folders.has(path) && !isKnown(path))
        look(path, false);
    }
  };
  for (const folder of closest(folders)) look(folder, true);
  if (special.length + unreadable.length === 0)
    return { special, unreadableFolders: unreadable, folders: looked };
  // git has read a larger one, and has to be believed that nothing here is ignored by it
  const hasRules = (folder: string) =>
    (root.stat(folder === '' ? '.gitignore' : `${folder}/.gitignore`)?.hint.size ?? 0) <=
    MAX_IGNORE_FILE_BYTES;
  const isIgnored = createIgnoreFilter(root, '.gitignore', hasRules);
  return {
    // some file systems do not say in the listing what an entry is
    special: special.filter((path) => !isIgnored(path, false) && root.stat(path)?.type === 'other'),
    unreadableFolders: unreadable.filter((path) => !isIgnored(path, true)).sort(),
    folders: looked,
  };
}

function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set(['']);
  let last = '/';
  for (const path of paths) {
    // paths come sorted: most are in the folder of the one before
    if (path.startsWith(last) && !path.includes('/', last.length)) continue;
    last = path.slice(0, path.lastIndexOf('/') + 1) || '/';
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

function closest(folders: ReadonlySet<string>): readonly string[] {
  if (folders.size <= MAX_FOLDERS) return [...folders];
  const levels: string[][] = [];
  for (const folder of folders) {
    let depth = folder === '' ? 0 : 1;
    for (let slash = folder.indexOf('/'); slash !== -1; slash = folder.indexOf('/', slash + 1)) depth++;
    levels[depth] ??= [];
    levels[depth]!.push(folder);
  }
  const chosen: string[] = [];
  for (const level of levels) {
    if (chosen.length >= MAX_FOLDERS) break;
    chosen.push(...(level ?? []).sort());
  }
  return chosen.slice(0, MAX_FOLDERS);
}

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
