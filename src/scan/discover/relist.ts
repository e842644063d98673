import { isDeepStrictEqual } from 'node:util';
import type { FileEntry } from '../../model/file-entry.ts';
import type { ListingBasis } from '../../model/listing-basis.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { findHiddenFiles } from './find-hidden-files.ts';
import { folderOf, nameOf } from './inherit-by-folder.ts';
import { createLinkCheck, type OnStat, type WorkTreeState } from './list-with-git.ts';
import type { ListedFile } from './listed-file.ts';
import { folderTimes, hiddenPaths, rulesState } from './listing-basis.ts';
import { LOADOUT_IGNORE } from './loadout-ignore.ts';
import type { PathFilter } from './path-filter.ts';

/** A list of files from an earlier time, and what it rests on. */
export interface EarlierListing {
  readonly basis: ListingBasis;
  /** Sorted by path. */
  readonly files: readonly FileEntry[];
}

export interface Relisting {
  readonly files: readonly FileEntry[];
  readonly basis: ListingBasis;
}

/** With more files to look at, a new list costs little more. */
const MOST_SUSPECTS = 4_000;
/** Files that decide about others. */
const RULE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', LOADOUT_IGNORE]);

/**
 * The earlier list with the files that may have changed looked at again: git vouches for all others. Null when the
 * list itself may be another one, which then has to be made anew.
 */
export function relist(
  root: SafeRoot,
  earlier: EarlierListing,
  state: WorkTreeState,
  filter: PathFilter,
  onStat: OnStat,
  /** What a file is; asked in the order of paths. */
  entryOf: (file: ListedFile) => FileEntry,
): Relisting | null {
  const { basis, files } = earlier;
  if (rulesState(root) !== basis.rules || !areEqual(state.untracked, basis.untracked)) return null;
  const suspects = new Set([...basis.modified, ...state.modified, ...basis.unwatched, ...state.untracked]);
  if (suspects.size > MOST_SUSPECTS) return null;
  const numbers: number[] = [];
  files.forEach((file, number) => {
    if (suspects.delete(file.path) || isUnsettled(file)) numbers.push(number);
  });
  // what was not there may be there now
  for (const path of suspects)
    if (filter.accepts(path) && root.stat(path.replace(/\/$/, '')) !== null) return null;
  if (numbers.length > MOST_SUSPECTS) return null;
  const looked = lookAgain(root, files, numbers, new Set(basis.attributed), onStat, entryOf);
  const folders = looked && checkHidden(root, basis, files);
  if (!looked || !folders) return null;
  const isSame = folders === basis.folders && areEqual(state.modified, basis.modified);
  return { files: looked, basis: isSame ? basis : { ...basis, modified: state.modified, folders } };
}

/** Before it is known what is new: none of the files that git cannot vouch for has changed. */
export function looksUnchanged(
  root: SafeRoot,
  { basis, files }: EarlierListing,
  modified: readonly string[],
): boolean {
  const { unwatched, untracked } = basis;
  if (!areEqual(modified, basis.modified)) return false;
  const suspects = new Set([...modified, ...unwatched, ...untracked]);
  if (suspects.size > MOST_SUSPECTS) return false;
  return files.every(({ path, hint }) => {
    if (!suspects.has(path)) return true;
    const stat = hint && root.stat(path);
    return stat?.hint.ctimeMs === hint?.ctimeMs && stat?.hint.size === hint?.size;
  });
}

/** Neither its time nor git says that it is what it was. */
function isUnsettled({ hint, gitBlob, skip }: FileEntry): boolean {
  return (hint === null && gitBlob === null) || skip === 'submodule';
}

function lookAgain(
  root: SafeRoot,
  files: readonly FileEntry[],
  numbers: readonly number[],
  attributed: ReadonlySet<string>,
  onStat: OnStat,
  entryOf: (file: ListedFile) => FileEntry,
): readonly FileEntry[] | null {
  const isThroughLink = createLinkCheck(root);
  let changed: FileEntry[] | null = null;
  for (const number of numbers) {
    const file = files[number]!;
    const { path } = file;
    const stat = root.stat(path);
    const isRepository = file.skip === 'submodule';
    if (stat === null || isThroughLink(folderOf(path))) return null;
    if ((stat.type === 'directory') !== isRepository) return null;
    onStat(path, stat);
    const entry = entryOf({ path, stat, isRepository, gitBlob: null });
    if (entry === file || isStillUnopened(entry, file)) continue;
    if (attributed.has(path) || RULE_FILES.has(nameOf(path))) return null;
    changed ??= [...files];
    changed[number] = entry;
  }
  return changed ?? files;
}

/** Links and the like have no content whose time could be kept. */
function isStillUnopened(entry: FileEntry, file: FileEntry): boolean {
  const isAsBefore = entry.skip !== null && entry.skip === file.skip && entry.size === file.size;
  return isAsBefore && entry.hint === null && isDeepStrictEqual(entry.classification, file.classification);
}

/** The folders with the times they have now; null when something else is hidden in them than was. */
function checkHidden(
  root: SafeRoot,
  basis: ListingBasis,
  files: readonly FileEntry[],
): ListingBasis['folders'] | null {
  const isAsBefore = ([folder, changedMs]: ListingBasis['folders'][number]) =>
    changedMs > 0 && root.stat(folder)?.hint.ctimeMs === changedMs;
  if (basis.folders.every(isAsBefore)) return basis.folders;
  const known = new Set(basis.hidden);
  const listed = files.map(({ path }) => path).filter((path) => !known.has(path));
  const hidden = findHiddenFiles(root, listed);
  return areEqual(hiddenPaths(hidden), basis.hidden) ? folderTimes(root, hidden.folders) : null;
}

function areEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((path, at) => path === b[at]);
}
