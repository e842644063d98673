import type { Snapshot } from '../model/snapshot.ts';

/** Nothing worth writing has changed. */
export function isSameState(previous: Snapshot | undefined, snapshot: Snapshot): boolean {
  if (!previous || previous.id !== snapshot.id || previous.gitSha !== snapshot.gitSha) return false;
  if (previous.links !== snapshot.links) return false;
  return snapshot.files.every((file, at) => {
    const before = previous.files[at]!;
    const sameHint =
      before.hint?.mtimeMs === file.hint?.mtimeMs && before.hint?.ctimeMs === file.hint?.ctimeMs;
    const samePlace = previous.segments[before.segment] === snapshot.segments[file.segment];
    return (
      sameHint && samePlace && before.document === file.document && before.hint?.inode === file.hint?.inode
    );
  });
}

/** Files that came, went or changed their content. */
export function countChanges(previous: Snapshot | undefined, snapshot: Snapshot): number {
  if (!previous) return snapshot.files.filter(({ skip }) => skip === null).length;
  const before = new Map(previous.files.map(({ path, hash }) => [path, hash]));
  let changed = 0;
  for (const { path, hash } of snapshot.files) {
    if (before.get(path) !== hash) changed++;
    before.delete(path);
  }
  return changed + before.size;
}
