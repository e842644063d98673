import type { Snapshot } from '../../model/snapshot.ts';
import type { IndexStore } from '../index-store.ts';
import type { StoreSnapshot } from '../knowledge-store.ts';

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

/** What cannot be read is not there; the next update writes it anew. */
export function readStoredSnapshots(store: IndexStore, team: string): readonly StoredSnapshot[] {
  return store.snapshotRoots().flatMap(([name, root]) => {
    const known = readRoot(root);
    if (known?.team !== team) return [];
    const snapshot = store.load(name);
    if (typeof snapshot === 'string') return [];
    // another process may have replaced the file since its head was read
    const head = readRoot(snapshot.root)?.head ?? known.head;
    return [{ name, head, snapshot }];
  });
}
