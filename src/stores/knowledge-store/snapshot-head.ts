import type { ManifestEntry, StoreSnapshot, StoreUpdate } from '../../model/knowledge-store.ts';
import { manifestHash } from './document-id.ts';

export function headOf(
  { repository, branch, commit, model }: StoreUpdate,
  entries: readonly ManifestEntry[],
  generation: number,
): StoreSnapshot {
  const hash = manifestHash(model, entries);
  return { repository, branch, commit, model, generation, manifestHash: hash, fileCount: entries.length };
}

/** A snapshot of the same files at the same commit needs no other one. */
export function isSameSnapshot(a: StoreSnapshot, b: StoreSnapshot): boolean {
  return a.manifestHash === b.manifestHash && a.commit === b.commit;
}

export const bySnapshotName = (
  a: Pick<StoreSnapshot, 'repository' | 'branch'>,
  b: Pick<StoreSnapshot, 'repository' | 'branch'>,
): number =>
  a.repository === b.repository ? (a.branch < b.branch ? -1 : 1) : a.repository < b.repository ? -1 : 1;
