import type { RankedList, StoreHit } from '../knowledge-store.ts';

const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Best first, ties in a fixed order, no more than asked for. */
export function rankedList(hits: StoreHit[], limit: number): RankedList {
  return hits
    .sort(
      (a, b) =>
        b.score - a.score ||
        before(a.repository, b.repository) ||
        before(a.branch, b.branch) ||
        before(a.path, b.path),
    )
    .slice(0, limit);
}
