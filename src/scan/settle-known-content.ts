import type { FileEntry } from '../model/file-entry.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { contentHash } from '../platform/fs/content-hash.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import { isLight, type Known } from './plan-scan.ts';
import { documentKey } from './pool/open-segment.ts';

/** Fewer files than this are parsed sooner than the snapshots of other work trees are loaded. */
const WORTH_SIBLINGS = 8;

/**
 * Content that the index knows from another path, branch or work tree needs no second parse. Returns the files
 * that do need one, and adds the others to `found`.
 */
export function settleKnownContent(
  root: SafeRoot,
  entries: readonly FileEntry[],
  previous: Snapshot | null,
  siblings: () => readonly Snapshot[],
  worn: ReadonlySet<string>,
  maxFileBytes: number,
  found: Map<string, Known>,
): readonly FileEntry[] {
  if (entries.length === 0) return entries;
  const isWorthSiblings = previous === null || entries.length >= WORTH_SIBLINGS;
  const snapshots = isWorthSiblings ? siblings() : [previous];
  if (snapshots.length === 0) return entries;
  const hashes = entries.map((entry) => {
    const outcome = root.read(entry.path, maxFileBytes);
    return outcome.kind === 'skipped' ? null : contentHash(outcome.bytes);
  });
  const wanted = new Set(hashes);
  const byKey = new Map<string, Known>();
  for (const snapshot of snapshots)
    for (const file of snapshot.files) {
      // a file that was given up has no findings, and is given up again
      const segment = file.skip === 'unreadable' ? '' : snapshot.segments[file.segment];
      if (wanted.has(file.hash) && segment !== undefined && !worn.has(segment))
        byKey.set(documentKey(file.hash, file.language, isLight(file)), { file, segment });
    }
  return entries.filter((entry, at) => {
    const hash = hashes[at];
    const known = hash ? byKey.get(documentKey(hash, entry.language, isLight(entry))) : undefined;
    if (known) found.set(entry.path, known);
    return !known;
  });
}
