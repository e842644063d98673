import type { FileClass, FileEntry, StatHint } from '../model/file-entry.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';
import type { FileStat } from '../platform/fs/safe-root.ts';
import { hasBinaryExtension, type ListedFile } from './discover/index.ts';
import { isDataLanguage } from './parse/index.ts';

/** Where the findings of a file already are. */
export interface Known {
  readonly file: SnapshotFile;
  readonly segment: string;
}

interface ScanPlan {
  /** By path: findings that can be used as they are. */
  readonly reuse: ReadonlyMap<string, Known>;
  /** Files whose content has to be looked at. */
  readonly read: readonly FileEntry[];
}

/** Segments that have become many and small, or mostly dead, are read again into one. */
const MAX_SMALL_SEGMENTS = 8;
const SMALL_SEGMENT = 256;

/** Segments that are to be replaced: nothing new may rest on them. */
export function wornSegments(previous: Snapshot | null): ReadonlySet<string> {
  const live = new Map<number, number>();
  for (const { segment } of previous?.files ?? [])
    if (segment >= 0) live.set(segment, (live.get(segment) ?? 0) + 1);
  const small = [...live].filter(([, count]) => count < SMALL_SEGMENT).map(([segment]) => segment);
  const worn = small.length > MAX_SMALL_SEGMENTS ? small : [];
  return new Set(worn.map((segment) => previous!.segments[segment]!));
}

/**
 * Decides what a scan can take over, beyond the entries that were carried over as they are. A hint that did not
 * change since the last scan of this work tree will do; so will git's word that a file is clean and has the blob
 * that a sibling work tree has read under the same path.
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

/** Looked up in place: a scan that asks for a few files need not sort all of them into a table. */
export function findFile(files: readonly SnapshotFile[], path: string): SnapshotFile | undefined {
  return files[fileNumber(files, path)];
}

/** -1 for a path that is not listed. */
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

/** Data, and what tests are fed with: its beginning says what it is. */
export function isLight({
  classification: { role },
  language,
}: Pick<FileEntry, 'classification' | 'language'>): boolean {
  return role === 'data' || (role === 'test' && isDataLanguage(language));
}

function sameHint(a: StatHint, b: StatHint): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;
}

/** An entry that is a file of the previous snapshot, findings and all. */
export function isCarried(entry: FileEntry): entry is SnapshotFile {
  // the limit on files takes a copy, which is an entry like any other
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
 * Files that are listed as they were at the last scan are taken over as they are: nothing about them is worked out
 * again. Asked in the order of paths. What the name alone does not tell (skipped files, names without an ending,
 * attributes) is left to the usual way.
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

/** Calls back once, at the first file that has been changed for sure; told of files in the order of paths. */
export function createChangeWatch(
  files: readonly SnapshotFile[],
  onChange: (path: string) => void,
): (path: string, stat: FileStat | null) => void {
  let at = 0;
  let isOver = files.length === 0;
  return (path, stat) => {
    if (isOver || stat?.type !== 'file') return;
    while (at < files.length && files[at]!.path < path) at++;
    const file = files[at];
    const isKnown = file?.path === path;
    // a file that changed shortly before the last scan has no hint, and most often did not change again
    if (isKnown && (file.hint ? sameHint(file.hint, stat.hint) : file.size === stat.hint.size)) return;
    isOver = true;
    onChange(path);
  };
}

/** What it is and whether it is read follows from its name; its content may add to that, nothing else does. */
function isToldByName({ path, skip, hash }: SnapshotFile): boolean {
  if (skip !== null) return skip === 'binary' && hash === '' && hasBinaryExtension(path);
  return path.lastIndexOf('.') > path.lastIndexOf('/') + 1;
}
