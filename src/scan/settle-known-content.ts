import type { FileEntry } from '../model/file-entry.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { contentHash } from '../platform/content-hash.ts';
import type { SafeRoot } from '../platform/safe-root.ts';
import { documentKey } from './build-segment.ts';
import { isLight, type Known } from './plan-scan.ts';

/**
 * Content that the index knows from another path, branch or work tree needs no second parse. Returns the files
 * that do need one, and adds the others to `found`.
 */
export function settleKnownContent(
  root: SafeRoot,
  entries: readonly FileEntry[],
  snapshots: readonly Snapshot[],
  worn: ReadonlySet<string>,
  maxFileBytes: number,
  found: Map<string, Known>,
): readonly FileEntry[] {
  if (entries.length === 0 || snapshots.length === 0) return entries;
  const byKey = new Map<string, Known>();
  for (const snapshot of snapshots)
    for (const file of snapshot.files) {
      const segment = snapshot.segments[file.segment];
      if (segment !== undefined && !worn.has(segment))
        byKey.set(documentKey(file.hash, file.language, isLight(file)), { file, segment });
    }
  return entries.filter((entry) => {
    const outcome = root.read(entry.path, maxFileBytes);
    if (outcome.kind === 'skipped') return true;
    const known = byKey.get(documentKey(contentHash(outcome.bytes), entry.language, isLight(entry)));
    if (known) found.set(entry.path, known);
    return !known;
  });
}
