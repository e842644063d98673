// Decides which files of a listing need no parsing. Most files of a repository do not change between two scans, so this
// is where an incremental scan saves its time.
import type { FileClass, FileEntry, StatHint } from '../model/file-entry.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';
import { hasBinaryExtension, type ListedFile } from './discover/index.ts';
import { isDataLanguage } from './parse/index.ts';

/** Where the findings of a file already are. */
export interface Known {
  readonly file: SnapshotFile;
  readonly segment: string;
}

/** Which findings are taken over, and which files have to be read. */
interface ScanPlan {
  /** By path: findings that can be used as they are. */
  readonly reuse: ReadonlyMap<string, Known>;
  /** Files whose content has to be looked at. */
  readonly read: readonly FileEntry[];
}

/**
 * With more than eight segments below 256 files, the small ones are parsed again into one: each open segment costs
 * time.
 */
const MAX_SMALL_SEGMENTS = 8;
const SMALL_SEGMENT = 256;

/** Names of segments that this scan replaces. No new snapshot may use them. */
export function wornSegments(previous: Snapshot | null): ReadonlySet<string> {
  const live = new Map<number, number>();
  for (const { segment } of previous?.files ?? [])
    if (segment >= 0) live.set(segment, (live.get(segment) ?? 0) + 1);
  const small = [...live].filter(([, count]) => count < SMALL_SEGMENT).map(([segment]) => segment);
  const worn = small.length > MAX_SMALL_SEGMENTS ? small : [];
  return new Set(worn.map((segment) => previous!.segments[segment]!));
}

/**
 * Decides what a scan can take over, besides entries that were carried over. Two proofs count: a time stamp that did
 * not change since the last scan of this work tree, or git's statement that a file is clean and has a blob that another
 * work tree has read at the same path.
 */
export function planScan(
  files: readonly FileEntry[],
  previous: Snapshot | null,
  siblings: () => readonly Snapshot[],
  worn: ReadonlySet<string>,
  trustHints: boolean,
): ScanPlan {
  const byBlob = siblingFiles(trustHints && previous === null ? siblings() : []);
  const reuse = new Map<string, Known>();
  const read: FileEntry[] = [];
  for (const entry of files) {
    if (entry.skip !== null || isCarried(entry)) continue;
    const known = trustHints && previous ? findFile(previous.files, entry.path) : undefined;
    const segment = known && (previous!.segments[known.segment] ?? '');
    const isUsable = known && !worn.has(segment!) && isLight(known) === isLight(entry);
    if (isUsable && known.hint && entry.hint && sameHint(known.hint, entry.hint)) {
      reuse.set(entry.path, { file: known, segment: segment! });
      continue;
    }
    const sibling = entry.gitBlob ? byBlob.get(`${entry.path}\0${entry.gitBlob}\0${entry.size}`) : undefined;
    if (sibling && isLight(sibling.file) === isLight(entry)) reuse.set(entry.path, sibling);
    else read.push(entry);
  }
  return { reuse, read };
}

/** A binary search. A scan that asks for a few files need not build a table of all of them. */
export function findFile(files: readonly SnapshotFile[], path: string): SnapshotFile | undefined {
  return files[fileNumber(files, path)];
}

/** The number of a file in a list sorted by path; -1 for a path that is not in it. */
export function fileNumber(files: readonly SnapshotFile[], path: string): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (files[middle]!.path < path) low = middle + 1;
    else high = middle;
  }
  return files[low]?.path === path ? low : -1;
}

/** Files of other work trees by path, blob and size. */
function siblingFiles(siblings: readonly Snapshot[]): ReadonlyMap<string, Known> {
  const byBlob = new Map<string, Known>();
  for (const snapshot of siblings) {
    for (const file of snapshot.files) {
      if (!file.gitBlob || file.segment < 0) continue;
      byBlob.set(`${file.path}\0${file.gitBlob}\0${file.size}`, {
        file,
        segment: snapshot.segments[file.segment]!,
      });
    }
  }
  return byBlob;
}

/** Data files and fixtures. Only their beginning is read, because it says what they are. */
export function isLight({
  classification: { role },
  language,
}: Pick<FileEntry, 'classification' | 'language'>): boolean {
  return role === 'data' || (role === 'test' && isDataLanguage(language));
}

/** Size, both times and inode: an editor that restores one of them rarely restores all. */
function sameHint(a: StatHint, b: StatHint): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;
}

/** Whether an entry is a file of the previous snapshot, with its findings. */
export function isCarried(entry: FileEntry): entry is SnapshotFile {
  // The limit on files makes a copy with another skip reason. It is an entry like any other.
  return 'document' in entry && entry.skip !== 'limit-reached';
}

/** The file without its findings. */
export function asEntry({
  path,
  language,
  size,
  classification,
  skip,
  gitBlob,
  hint,
}: SnapshotFile): FileEntry {
  return { path, language, size, classification, skip, gitBlob, hint };
}

/**
 * Returns a function that takes unchanged files over from the last scan, without computing anything again. It must be
 * called in the order of paths. Files that their name alone does not classify (skipped files, names without an
 * extension, files with git attributes) go the usual way.
 */
export function createCarryOver(
  previous: Snapshot | null,
  worn: ReadonlySet<string>,
): (listed: ListedFile) => SnapshotFile | null {
  const files = previous?.files ?? [];
  const isWorn = (previous?.segments ?? []).map((name) => worn.has(name));
  const attributed = new Map<FileClass, boolean>();
  let at = 0;

  function isByAttributes(classification: FileClass): boolean {
    let known = attributed.get(classification);
    if (known === undefined) {
      known = classification.reasons.some((reason) => reason.includes('.gitattributes'));
      attributed.set(classification, known);
    }
    return known;
  }

  return ({ path, stat, isRepository, gitBlob }) => {
    while (at < files.length && files[at]!.path < path) at++;
    const file = files[at];
    if (file === undefined || file.path !== path || file.hint === null || !isToldByName(file)) return null;
    if (isRepository || stat?.type !== 'file' || !sameHint(file.hint, stat.hint)) return null;
    if (isWorn[file.segment] || isByAttributes(file.classification)) return null;
    const blob = gitBlob === file.hash ? gitBlob : null;
    return blob === file.gitBlob ? file : { ...file, gitBlob: blob };
  };
}

/** Whether the name alone decides how a file is classified and whether it is read. */
function isToldByName({ path, skip, hash }: SnapshotFile): boolean {
  if (skip !== null) return skip === 'binary' && hash === '' && hasBinaryExtension(path);
  return path.lastIndexOf('.') > path.lastIndexOf('/') + 1;
}
