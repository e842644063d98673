import { countMerged } from './count-merged.ts';
import type { RankTable } from './rank-table.ts';

const SLOT_BITS = 15;
const SLOTS = 1 << SLOT_BITS;
const LONGEST_KEPT = 56;

/**
 * Counts pieces outside the vocabulary. The names of a code base come back often, so each slot keeps the one that was
 * last counted there.
 */
export function createOutsiderCounter(table: RankTable) {
  const kept = new Uint8Array(SLOTS * LONGEST_KEPT);
  const lengths = new Uint8Array(SLOTS);
  const counts = new Uint8Array(SLOTS);
  return (bytes: Uint8Array, start: number, end: number, hash: number): number => {
    const length = end - start;
    if (length > LONGEST_KEPT) return countMerged(bytes, start, end, table);
    const slot = (hash ^ (hash >>> SLOT_BITS)) & (SLOTS - 1);
    const place = slot * LONGEST_KEPT;
    if (lengths[slot] === length) {
      let same = 0;
      while (same < length && kept[place + same] === bytes[start + same]) same++;
      if (same === length) return counts[slot]!;
    }
    const tokens = countMerged(bytes, start, end, table);
    for (let at = 0; at < length; at++) kept[place + at] = bytes[start + at]!;
    lengths[slot] = length;
    counts[slot] = tokens;
    return tokens;
  };
}
