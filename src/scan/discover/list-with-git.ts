// Lists files with git: tracked, untracked and not ignored. It also looks for files that git hides, and records what
// the list depends on, so that a later scan can trust it.
import type { ListingBasis } from '../../model/snapshot.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { MAX_IGNORE_FILE_BYTES } from '../../platform/fs/ignore-files.ts';
import type { FileStat, SafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitClient, GitFile } from '../../platform/git/git.ts';
import { folderOf, inheritByFolder, nameOf } from './inherit-by-folder.ts';
import { createEventLoopYield, type ListedFile } from './listed-file.ts';
import type { PathFilter } from './path-filter.ts';
import { createIgnoreFilter, createLoadoutIgnore, LOADOUT_IGNORE } from './rule-files.ts';

/** The files that git lists, and what a later scan must know to trust the list. */
export interface GitListing {
  readonly files: readonly ListedFile[];
  /** Git lists no path below the root, with or without the filter. */
  readonly isEmpty: boolean;
  /** A folder between the work tree and the root has a `.gitattributes`. */
  readonly hasAttributesAbove: boolean;
  /** Paths that git does not watch (`assume-unchanged`, `skip-worktree`) or that are in conflict. */
  readonly unwatched: readonly string[];
  readonly hidden: HiddenFiles;
  /** Tracked files that are wanted and that a sparse checkout keeps off the disk. */
  readonly sparseCount: number;
  /** Tracked files that are wanted. */
  readonly trackedCount: number;
}

/** The answers of git about the work tree, with paths below the root. */
export interface WorkTreeState {
  readonly untracked: readonly string[];
  /** Tracked files that differ from git's index. */
  readonly modified: readonly string[];
}

/** The same while git still works. Modified files are known long before untracked ones. */
interface AskedState {
  readonly untracked: Promise<readonly string[]>;
  readonly modified: Promise<readonly string[]>;
}

/** Asks git for modified and untracked files. Both commands run at the same time. */
export function askForState(git: GitClient, prefix: string): AskedState {
  const asked = {
    untracked: git.untrackedFiles().then((paths) => below(prefix, paths)),
    modified: git.modifiedFiles().then((paths) => below(prefix, paths)),
  };
  // The caller awaits these. This only avoids an unhandled rejection.
  for (const answer of Object.values(asked)) answer.catch(() => {});
  return asked;
}

/** Lists tracked files that are still on disk, and untracked files that no ignore rule leaves out. */
export async function listWithGit(
  root: SafeRoot,
  git: GitClient,
  prefix: string,
  filter: PathFilter,
  asked: AskedState,
): Promise<GitListing> {
  const [tracked, untrackedPaths, modified] = await Promise.all([
    // Tracked files are looked at while git still searches for the others.
    git.trackedFiles().then((files) => statTracked(root, files, prefix, filter)),
    asked.untracked,
    asked.modified,
  ]);
  const modifiedPaths = new Set(modified);
  const isThroughLink = createLinkCheck(root);
  const files: ListedFile[] = [];
  for (const { path, file, stat } of tracked.files) {
    const isClean = file.trustStat && !modifiedPaths.has(path);
    // For git a file behind a linked folder is deleted. It has looked at clean files already.
    if (stat === null || (!isClean && isThroughLink(folderOf(path)))) continue;
    const isRepository = stat.type === 'directory';
    if (isRepository && file.mode !== 'submodule') continue;
    files.push({ path, stat, isRepository, gitBlob: isClean && stat.type === 'file' ? file.blob : null });
  }
  for (const given of untrackedPaths) {
    const isRepository = given.endsWith('/');
    const path = isRepository ? given.slice(0, -1) : given;
    const stat = filter.accepts(path) ? root.stat(path) : null;
    if (stat !== null) files.push({ path, stat, isRepository, gitBlob: null });
  }
  const listed = [...tracked.files.map(({ path }) => path), ...files.map(({ path }) => path)];
  const hidden = findHiddenFiles(root, listed);
  for (const path of hidden.special)
    if (filter.accepts(path)) files.push({ path, stat: root.stat(path), isRepository: false, gitBlob: null });
  const isLeftOut = createLoadoutIgnore(root, foldersWithRules(root, tracked.ruleFolders, untrackedPaths));
  return {
    files: files.filter(({ path }) => !isLeftOut(path)),
    isEmpty: tracked.count === 0 && untrackedPaths.length === 0,
    hasAttributesAbove: tracked.hasAttributesAbove,
    unwatched: tracked.unwatched,
    hidden,
    sparseCount: tracked.files.filter(({ file, stat }) => stat === null && file.isSparse).length,
    trackedCount: tracked.files.length,
  };
}

/** A tracked file and what is on disk at its path. */
interface StattedFile {
  readonly path: string;
  readonly file: GitFile;
  readonly stat: FileStat | null;
}

/** Looks at all tracked files below the root that are wanted. */
async function statTracked(root: SafeRoot, tracked: readonly GitFile[], prefix: string, filter: PathFilter) {
  const files: StattedFile[] = [];
  const ruleFolders: string[] = [];
  const unwatched: string[] = [];
  const yieldToEventLoop = createEventLoopYield();
  let count = 0;
  let hasAttributesAbove = false;
  for (const file of tracked) {
    if (!file.path.startsWith(prefix)) {
      hasAttributesAbove ||= nameOf(file.path) === '.gitattributes' && isAbove(folderOf(file.path), prefix);
      continue;
    }
    count += 1;
    const path = prefix === '' ? file.path : file.path.slice(prefix.length);
    if (path.endsWith(LOADOUT_IGNORE)) ruleFolders.push(folderOf(path));
    if (!file.trustStat) unwatched.push(path);
    if (!filter.accepts(path)) continue;
    const stat = root.stat(path);
    files.push({ path, file, stat });
    if (count % 512 === 0) await yieldToEventLoop(512);
  }
  return { files, ruleFolders, unwatched, count, hasAttributesAbove };
}

function isAbove(folder: string, prefix: string): boolean {
  return folder === '' || prefix.startsWith(`${folder}/`);
}

/** Paths below the root, without the prefix that leads to it. */
function below(prefix: string, paths: readonly string[]): readonly string[] {
  if (prefix === '') return paths;
  return paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
}

/** Tells whether a folder is, or is below, a symbolic link. */
export function createLinkCheck(root: SafeRoot): (folder: string) => boolean {
  return inheritByFolder<boolean>(false, (above, folder) => above || root.stat(folder)?.type === 'symlink');
}

/** The root's own rules count even when git ignores the file that holds them. */
function foldersWithRules(
  root: SafeRoot,
  tracked: readonly string[],
  untracked: readonly string[],
): ReadonlySet<string> {
  const listed = untracked.filter((path) => path.endsWith(LOADOUT_IGNORE)).map(folderOf);
  const atRoot = root.stat(LOADOUT_IGNORE) === null ? [] : [''];
  return new Set([...atRoot, ...tracked, ...listed]);
}

/** Files and folders that git does not list and does not report. */
interface HiddenFiles {
  /** Pipes, sockets and devices. */
  readonly special: readonly string[];
  readonly unreadableFolders: readonly string[];
  /** Folders that were read. Their times are part of the basis. */
  readonly folders: readonly string[];
}

/**
 * Folders that are read at most, those closest to the root first. Reading all of them would double the cost of a scan.
 */
const MAX_FOLDERS = 128;

/**
 * Looks into the folders of the listed files, and into those beside them that git does not mention. Files that only the
 * user's own ignore rules leave out are reported as well, because git answers questions about its rules for real files
 * only.
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
      // A folder that was replaced by a link counts as something else.
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
  // A larger ignore file was read by git alone, so its rules are not applied here.
  const hasRules = (folder: string) =>
    (root.stat(folder === '' ? '.gitignore' : `${folder}/.gitignore`)?.hint.size ?? 0) <=
    MAX_IGNORE_FILE_BYTES;
  const isIgnored = createIgnoreFilter(root, '.gitignore', hasRules);
  return {
    // Some file systems do not say in a listing what an entry is.
    special: special.filter((path) => !isIgnored(path, false) && root.stat(path)?.type === 'other'),
    unreadableFolders: unreadable.filter((path) => !isIgnored(path, true)).sort(),
    folders: looked,
  };
}

function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set(['']);
  let last = '/';
  for (const path of paths) {
    // Paths are sorted, so most are in the folder of the one before.
    if (path.startsWith(last) && !path.includes('/', last.length)) continue;
    last = path.slice(0, path.lastIndexOf('/') + 1) || '/';
    for (let folder = folderOf(path); !folders.has(folder); folder = folderOf(folder)) folders.add(folder);
  }
  return folders;
}

/** The folders nearest to the root, up to the limit. */
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

/** Paths in a basis at most. A longer one would cost more to keep than it saves. */
const MAX_PATHS = 20_000;
/** A folder that changed this recently, in milliseconds, may change again without a new time stamp. */
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

/** Everything hidden, as one list that can be compared. */
export function hiddenPaths({ special, unreadableFolders }: HiddenFiles): readonly string[] {
  return [...special, ...unreadableFolders];
}

/** The time stamp of each folder; 0 when it is too recent to prove anything. */
export function folderTimes(root: SafeRoot, folders: readonly string[]): ListingBasis['folders'] {
  const settled = wallClockMs() - RACY_MS;
  return folders.map((folder) => {
    const changedMs = root.stat(folder)?.hint.ctimeMs ?? 0;
    return [folder, changedMs < settled ? changedMs : 0];
  });
}
