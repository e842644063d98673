import { isDeepStrictEqual } from 'node:util';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';

/** Every file was carried over as it is. */
export function areSameFiles(before: readonly SnapshotFile[], files: readonly SnapshotFile[]): boolean {
  if (before === files) return true;
  return before.length === files.length && files.every((file, at) => file === before[at]);
}

/** Nothing worth writing has changed. */
export function isSameState(previous: Snapshot | undefined, snapshot: Snapshot): boolean {
  if (!previous || previous.id !== snapshot.id || previous.gitSha !== snapshot.gitSha) return false;
  if (previous.links !== snapshot.links || !isDeepStrictEqual(previous.basis, snapshot.basis)) return false;
  return snapshot.files.every((file, at) => {
    const before = previous.files[at]!;
    if (file === before) return true;
    const sameHint =
      before.hint?.mtimeMs === file.hint?.mtimeMs && before.hint?.ctimeMs === file.hint?.ctimeMs;
    const samePlace = previous.segments[before.segment] === snapshot.segments[file.segment];
    return (
      sameHint && samePlace && before.document === file.document && before.hint?.inode === file.hint?.inode
    );
  });
}

/** Files that came, went or changed their content; both lists are sorted by path. */
export function countChanges(previous: Snapshot | undefined, snapshot: Snapshot): number {
  if (!previous) return snapshot.files.filter(({ skip }) => skip === null).length;
  const before = previous.files;
  let at = 0;
  let changed = 0;
  for (const file of snapshot.files) {
    for (; at < before.length && before[at]!.path < file.path; at++) changed++;
    const former = before[at];
    if (former?.path !== file.path) changed++;
    else {
      if (former.hash !== file.hash) changed++;
      at++;
    }
  }
  return changed + before.length - at;
}
