import type { StoreSnapshot } from '../../model/knowledge-store.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import type { IndexStore } from '../../scan/format/index.ts';

/** A snapshot that `update` has written, and the file that holds it. */
export interface StoredSnapshot {
  readonly name: string;
  readonly head: StoreSnapshot;
  readonly snapshot: Snapshot;
}

/** Where a scan names a work tree, a store says all there is about the snapshot: one file is the whole commit. */
export function rootText(team: string, head: StoreSnapshot): string {
  return JSON.stringify({ team, ...head });
}

function readRoot(root: string): { readonly team: string; readonly head: StoreSnapshot } | null {
  try {
    const { team, ...head } = JSON.parse(root) as StoreSnapshot & { team: string };
    return { team, head };
  } catch {
    return null;
  }
}

/** A snapshot of which only the beginning was read. */
export interface SnapshotRoot {
  readonly name: string;
  /** All that the file says about its snapshot: another text is another snapshot. */
  readonly root: string;
  readonly head: StoreSnapshot;
}

export function storedRoots(store: IndexStore, team: string): readonly SnapshotRoot[] {
  return store.snapshotRoots().flatMap(([name, root]) => {
    const known = readRoot(root);
    return known?.team === team ? [{ name, root, head: known.head }] : [];
  });
}

/** Null when it is gone, damaged, or another team's by now: what cannot be read is not there. */
export function readStoredSnapshot(store: IndexStore, name: string, team: string): StoredSnapshot | null {
  const snapshot = store.load(name);
  if (typeof snapshot === 'string') return null;
  const known = readRoot(snapshot.root);
  return known?.team === team ? { name, head: known.head, snapshot } : null;
}

/** The next update writes anew what cannot be read. */
export function readStoredSnapshots(store: IndexStore, team: string): readonly StoredSnapshot[] {
  return storedRoots(store, team).flatMap(({ name }) => readStoredSnapshot(store, name, team) ?? []);
}
