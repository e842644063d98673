import type { PlacedPool, TokenPool } from './token-pool.ts';

/** The rank of no token. */
export const NO_RANK = -1;

/** Ranks by bytes. Asked for a range, so that no piece of text has to be copied to be looked up. */
export interface RankTable {
  ofBytes(bytes: Uint8Array, start: number, end: number): number;
  /** The same for bytes whose hash is known. */
  ofHashed(bytes: Uint8Array, start: number, end: number, hash: number): number;
}

const PRIME = 0x01000193;
const FREE = -1;

export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, PRIME);
  return hash;
}

/** Where each token stands in a table of open addresses; `FREE` where none does. */
export function placeTokens(pool: TokenPool): Int32Array {
  const count = pool.starts.length - 1;
  let size = 1;
  while (size < count * 2) size *= 2;
  const slots = new Int32Array(size).fill(FREE);
  for (let rank = 0; rank < count; rank++) {
    const [start, end] = [pool.starts[rank]!, pool.starts[rank + 1]!];
    if (start === end) continue;
    slots[slotOf(pool, slots, pool.bytes, start, end, hashOf(pool.bytes, start, end))] = rank;
  }
  return slots;
}

/** The slot of these bytes, or the free one where they would go. */
function slotOf(
  { bytes: pool, starts }: TokenPool,
  slots: Int32Array,
  bytes: Uint8Array,
  start: number,
  end: number,
  hash: number,
): number {
  const mask = slots.length - 1;
  const length = end - start;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
    const token = starts[slots[slot]!]!;
    if (starts[slots[slot]! + 1]! - token !== length) continue;
    let same = 0;
    while (same < length && pool[token + same] === bytes[start + same]) same++;
    if (same === length) break;
  }
  return slot;
}

export function createRankTable(placed: PlacedPool): RankTable {
  const { starts } = placed;
  const slots = placed.slots ?? placeTokens(placed);
  let longest = 0;
  for (let rank = 1; rank < starts.length; rank++)
    longest = Math.max(longest, starts[rank]! - starts[rank - 1]!);
  return {
    ofBytes: (bytes, start, end) =>
      end - start > longest
        ? NO_RANK
        : slots[slotOf(placed, slots, bytes, start, end, hashOf(bytes, start, end))]!,
    ofHashed: (bytes, start, end, hash) => slots[slotOf(placed, slots, bytes, start, end, hash)]!,
  };
}
