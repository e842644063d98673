import type { PlacedPool, TokenPool } from './token-pool.ts';

/** The rank of no token. */
export const NO_RANK = -1;
/** Text beyond ASCII: its bytes have to be asked for. */
export const WIDE = -2;

/** Ranks by bytes. Asked for a range, so that no piece of text has to be copied to be looked up. */
export interface RankTable {
  ofText(text: string, start: number, end: number): number;
  ofBytes(bytes: Uint8Array, start: number, end: number): number;
}

const FIRST_WIDE = 128;
const PRIME = 0x01000193;
const FREE = -1;

/** Where each token stands in a table of open addresses; `FREE` where none does. */
export function placeTokens(pool: TokenPool): Int32Array {
  const count = pool.starts.length - 1;
  let size = 1;
  while (size < count * 2) size *= 2;
  const slots = new Int32Array(size).fill(FREE);
  for (let rank = 0; rank < count; rank++) {
    const [start, end] = [pool.starts[rank]!, pool.starts[rank + 1]!];
    if (start !== end) slots[slotOf(pool, slots, pool.bytes, start, end)] = rank;
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
): number {
  const mask = slots.length - 1;
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, PRIME);
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
    const token = starts[slots[slot]!]!;
    if (starts[slots[slot]! + 1]! - token !== end - start) continue;
    let same = 0;
    while (same < end - start && pool[token + same] === bytes[start + same]) same++;
    if (same === end - start) break;
  }
  return slot;
}

export function createRankTable(placed: PlacedPool): RankTable {
  const { bytes: pool, starts } = placed;
  const slots = placed.slots ?? placeTokens(placed);
  const mask = slots.length - 1;
  let longest = 0;
  for (let rank = 1; rank < starts.length; rank++)
    longest = Math.max(longest, starts[rank]! - starts[rank - 1]!);

  return {
    ofBytes: (bytes, start, end) =>
      end - start > longest ? NO_RANK : slots[slotOf(placed, slots, bytes, start, end)]!,
    ofText(text, start, end) {
      let hash = 0;
      let wide = 0;
      for (let at = start; at < end; at++) {
        const code = text.charCodeAt(at);
        wide |= code;
        hash = Math.imul(hash ^ code, PRIME);
      }
      if (wide >= FIRST_WIDE) return WIDE;
      const length = end - start;
      let slot = (hash ^ (hash >>> 15)) & mask;
      for (; slots[slot] !== FREE; slot = (slot + 1) & mask) {
        const token = starts[slots[slot]!]!;
        if (starts[slots[slot]! + 1]! - token !== length) continue;
        let same = 0;
        while (same < length && pool[token + same] === text.charCodeAt(start + same)) same++;
        if (same === length) break;
      }
      return slots[slot]!;
    },
  };
}
