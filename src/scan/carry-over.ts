import type { FileClass, FileEntry, StatHint } from '../model/file-entry.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';
import type { FileStat } from '../platform/fs/safe-root.ts';
import { hasBinaryExtension } from './discover/binary-extensions.ts';
import type { ListedFile } from './discover/listed-file.ts';

export function sameHint(a: StatHint, b: StatHint): boolean {
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
