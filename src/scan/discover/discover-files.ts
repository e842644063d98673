// Lists the files of a repository: with git where it can answer, else by walking the folders. When little changed since
// the last listing, only files that may have changed are looked at again.
import { isDeepStrictEqual } from 'node:util';
import { OWN_FOLDERS, type Settings } from '../../config/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { FileEntry } from '../../model/file-entry.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { ListingBasis } from '../../model/snapshot.ts';
import { prefixBelow } from '../../platform/fs/path-codec.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitClient } from '../../platform/git/git.ts';
import { folderOf, nameOf } from './inherit-by-folder.ts';
import { listByWalk } from './list-by-walk.ts';
import {
  askForState,
  createLinkCheck,
  findHiddenFiles,
  folderTimes,
  type GitListing,
  hiddenPaths,
  keepBasis,
  listWithGit,
  rulesState,
  type WorkTreeState,
} from './list-with-git.ts';
import {
  createEntryBuilder,
  describeUnreadable,
  type FileListing,
  type LanguageDetector,
  type ListedFile,
  summarizePaths,
} from './listed-file.ts';
import { createPathFilter, type PathFilter } from './path-filter.ts';
import { type FileAttributes, LOADOUT_IGNORE, readGitAttributes } from './rule-files.ts';

export type { LanguageDetector } from './listed-file.ts';

/** Settings that decide which files are listed. With other values the same repository has another index. */
const LISTING_SETTINGS = ['include', 'exclude', 'maxFileBytes', 'maxFiles'] as const;

/** The settings that a listing needs. */
export type DiscoverOptions = Pick<Settings, (typeof LISTING_SETTINGS)[number]>;

/** Equal for settings that list the same files. */
export const listingKey = (options: DiscoverOptions): string =>
  JSON.stringify(LISTING_SETTINGS.map((name) => options[name]));

/** The output file of `scan --ast-context`. It is an index of the repository and not a part of it. */
export const AST_CONTEXT_FILE = 'ast_context.json';

/**
 * Whether Loadout itself wrote the file: the structure of a module, the record of a run, the state of a loop. Such a
 * file is never part of a change.
 */
export function isOwnOutput(path: string): boolean {
  return (
    nameOf(path) === AST_CONTEXT_FILE || OWN_FOLDERS.some((folder) => `/${path}`.includes(`/${folder}/`))
  );
}

/** The files of a repository, with their classes, before any of them is parsed. */
export interface Discovery {
  /** Sorted by path, in code-unit order. */
  readonly files: readonly FileEntry[];
  readonly source: 'git' | 'walk';
  readonly diagnostics: readonly Diagnostic[];
  /** The state that the list depends on; null when there is no cheap way to tell whether it still holds. */
  readonly basis: ListingBasis | null;
}

/** The files of a new listing, before they become entries. */
interface Found extends FileListing {
  readonly source: Discovery['source'];
  readonly attributes: ReadonlyMap<string, FileAttributes>;
  readonly basis: ListingBasis | null;
}

/** Facts about the files from an earlier scan. */
export interface KnownFiles {
  /** The earlier listing, loaded while git works; null when none may be used. */
  earlier(): EarlierListing | null;
  /**
   * Called when the list is complete. The function returns the entry of an unchanged file, or null; it is called in the
   * order of paths.
   */
  open(): (file: ListedFile) => FileEntry | null;
}

const NOTHING_KNOWN: KnownFiles = {
  earlier: () => null,
  open: () => () => null,
};

/** Lists the files of a repository and classifies each of them. It reads no more than a first line of a file. */
export async function discoverFiles(
  root: SafeRoot,
  git: GitClient | null,
  detect: LanguageDetector,
  options: DiscoverOptions,
  known: KnownFiles = NOTHING_KNOWN,
): Promise<Discovery> {
  const { accepts, prunes } = createPathFilter(options.include, options.exclude);
  const filter = { prunes, accepts: (path: string) => nameOf(path) !== AST_CONTEXT_FILE && accepts(path) };
  const buildEntry = createEntryBuilder(root, detect, options.maxFileBytes);
  const found = await find(root, git, filter, options.maxFiles, known, buildEntry);
  if (!('attributes' in found)) return { ...found, source: 'git', diagnostics: found.basis.diagnostics };
  const knownEntry = known.open();
  const entries = [...found.files]
    .sort((left, right) => (left.path < right.path ? -1 : 1))
    .map((file) => {
      const attributes = found.attributes.get(file.path);
      return (attributes === undefined ? knownEntry(file) : null) ?? buildEntry(file, attributes);
    });
  const limited = limitFiles(entries, options.maxFiles);
  const diagnostics = [...found.diagnostics, ...describeRepositories(found.files), ...limited.diagnostics];
  return {
    files: limited.files,
    source: found.source,
    diagnostics,
    basis:
      found.basis && limited.diagnostics.length === 0 ? keepBasis({ ...found.basis, diagnostics }) : null,
  };
}

type BuildEntry = ReturnType<typeof createEntryBuilder>;

async function find(
  root: SafeRoot,
  git: GitClient | null,
  filter: PathFilter,
  maxFiles: number,
  known: KnownFiles,
  buildEntry: BuildEntry,
): Promise<Found | Relisting> {
  const prefix = git === null ? null : prefixBelow(git.workTree, root.path);
  const answer =
    git === null || prefix === null ? null : await findWithGit(root, git, prefix, filter, known, buildEntry);
  if (answer !== null && 'files' in answer) return answer;
  // Twice the limit is enough to report what the limit left out, without walking a whole disk.
  const { files, diagnostics } = await listByWalk(root, filter, 2 * maxFiles);
  const all = answer === null ? diagnostics : [answer, ...diagnostics];
  return { files, source: 'walk', attributes: new Map(), diagnostics: all, basis: null };
}

/** Lists with git; a diagnostic when git cannot answer. */
async function findWithGit(
  root: SafeRoot,
  git: GitClient,
  prefix: string,
  filter: PathFilter,
  known: KnownFiles,
  buildEntry: BuildEntry,
): Promise<Found | Relisting | Diagnostic> {
  try {
    // The state of git's index before and after must be the same. Otherwise a commit or checkout ran meanwhile.
    const gitIndex = git.indexState();
    const rules = rulesState(root);
    const asked = askForState(git, prefix);
    const earlier = known.earlier();
    if (earlier !== null && earlier.basis.gitIndex === gitIndex) {
      const state = { modified: await asked.modified, untracked: await asked.untracked };
      const knownEntry = known.open();
      const entryOf = (file: ListedFile) => knownEntry(file) ?? buildEntry(file, undefined);
      const again = relist(root, earlier, state, filter, entryOf);
      if (again !== null && git.indexState() === gitIndex) return again;
    }
    const listing = await listWithGit(root, git, prefix, filter, asked);
    const { files, isEmpty, hasAttributesAbove, unwatched, hidden } = listing;
    // A user who names an ignored folder wants it listed.
    if (isEmpty && prefix !== '') {
      return notice('info', 'folder-ignored', 'git lists nothing in this folder; it was listed without git');
    }
    const paths = files.map((file) => file.path);
    const attributes = await readGitAttributes(root, git, prefix, paths, hasAttributesAbove);
    const isSettled = gitIndex !== null && git.indexState() === gitIndex && !hasAttributesAbove;
    const basis = isSettled && {
      modified: await asked.modified,
      untracked: await asked.untracked,
      gitIndex,
      rules,
      unwatched,
      attributed: [...attributes.keys()],
      folders: folderTimes(root, hidden.folders),
      hidden: hiddenPaths(hidden),
      diagnostics: [],
    };
    const diagnostics = [...describeUnreadable(hidden.unreadableFolders), ...describeSparse(listing)];
    return { files, source: 'git', attributes, diagnostics, basis: basis || null };
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return notice('warning', 'git-listing-failed', `${error.message}; the files were listed without git`);
  }
}

/** Files of a sparse checkout are tracked and not on disk. */
function describeSparse({ sparseCount, trackedCount }: GitListing): readonly Diagnostic[] {
  if (sparseCount === 0) return [];
  const count = `${sparseCount} of ${trackedCount} tracked files are not on disk`;
  return [notice('info', 'sparse-checkout', `sparse checkout: ${count} and were left out`)];
}

/** Repositories inside the repository are listed and never entered. */
function describeRepositories(files: readonly ListedFile[]): readonly Diagnostic[] {
  const nested = files.filter((file) => file.isRepository).map((file) => file.path);
  if (nested.length === 0) return [];
  const message = `${summarizePaths(nested.sort(), 'nested repository')} not entered`;
  return [notice('info', 'nested-repository', message)];
}

function notice(severity: Diagnostic['severity'], code: string, message: string): Diagnostic {
  return { code, severity, message };
}

/** Marks all files after the first `maxFiles` that would be read, and adds one warning for all of them. */
function limitFiles(
  entries: readonly FileEntry[],
  maxFiles: number,
): { readonly files: readonly FileEntry[]; readonly diagnostics: readonly Diagnostic[] } {
  let readable = 0;
  const files = entries.map((entry) => {
    if (entry.skip !== null) return entry;
    readable += 1;
    return readable <= maxFiles ? entry : { ...entry, skip: 'limit-reached' as const };
  });
  if (readable <= maxFiles) return { files: entries, diagnostics: [] };
  const message = `${readable - maxFiles} of ${readable} files are left out: the limit is ${maxFiles} files`;
  return { files, diagnostics: [{ code: 'file-limit-reached', severity: 'warning', message }] };
}

/** An earlier listing, and the state that it depends on. */
interface EarlierListing {
  readonly basis: ListingBasis;
  /** Sorted by path. */
  readonly files: readonly FileEntry[];
}

/** The earlier listing, brought up to date. */
interface Relisting {
  readonly files: readonly FileEntry[];
  readonly basis: ListingBasis;
}

/** With more files to look at, a new listing costs little more. */
const MAX_SUSPECTS = 4_000;
/** A change in one of these files can change the list itself. */
const RULE_FILES: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes', LOADOUT_IGNORE]);

/**
 * Looks at the files again that may have changed. Git says that all others are clean. Null when the list itself may be
 * different and has to be made again.
 */
function relist(
  root: SafeRoot,
  earlier: EarlierListing,
  state: WorkTreeState,
  filter: PathFilter,
  /** Makes an entry. Called in the order of paths. */
  entryOf: (file: ListedFile) => FileEntry,
): Relisting | null {
  const { basis, files } = earlier;
  if (rulesState(root) !== basis.rules || !areEqual(state.untracked, basis.untracked)) return null;
  const suspects = new Set([...basis.modified, ...state.modified, ...basis.unwatched, ...state.untracked]);
  if (suspects.size > MAX_SUSPECTS) return null;
  const numbers: number[] = [];
  files.forEach((file, number) => {
    if (suspects.delete(file.path) || isUnsettled(file)) numbers.push(number);
  });
  // A file that was missing may exist now.
  for (const path of suspects)
    if (filter.accepts(path) && root.stat(path.replace(/\/$/, '')) !== null) return null;
  if (numbers.length > MAX_SUSPECTS) return null;
  const looked = lookAgain(root, files, numbers, new Set(basis.attributed), entryOf);
  const folders = looked && checkHidden(root, basis, files);
  if (!looked || !folders) return null;
  const isSame = folders === basis.folders && areEqual(state.modified, basis.modified);
  return { files: looked, basis: isSame ? basis : { ...basis, modified: state.modified, folders } };
}

/** Neither a time stamp nor git proves that the file is unchanged. */
function isUnsettled({ hint, gitBlob, skip }: FileEntry): boolean {
  return (hint === null && gitBlob === null) || skip === 'submodule';
}

/** The entries with the given numbers are made again; null when one of them can change the list. */
function lookAgain(
  root: SafeRoot,
  files: readonly FileEntry[],
  numbers: readonly number[],
  attributed: ReadonlySet<string>,
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
    const entry = entryOf({ path, stat, isRepository, gitBlob: null });
    if (entry === file || isStillUnopened(entry, file)) continue;
    if (attributed.has(path) || RULE_FILES.has(nameOf(path))) return null;
    changed ??= [...files];
    changed[number] = entry;
  }
  return changed ?? files;
}

/** Links and the like have no content whose time could prove anything. */
function isStillUnopened(entry: FileEntry, file: FileEntry): boolean {
  const isAsBefore = entry.skip !== null && entry.skip === file.skip && entry.size === file.size;
  return isAsBefore && entry.hint === null && isDeepStrictEqual(entry.classification, file.classification);
}

/** The folders with their current times; null when other files are hidden in them than before. */
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
