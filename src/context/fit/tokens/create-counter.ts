// Counts tokens by byte pair encoding without making a list of them. Text is split into pieces, and each piece is looked
// up or merged.

import { createHeap } from '../heap.ts';
import { createPieceEnd, type PieceRules } from './piece-end.ts';
import { createRankTable, hashOf, NO_RANK, type PlacedPool, type RankTable } from './rank-table.ts';

/** The number of tokens in a range of UTF-8 bytes. */
export type CountBytes = (bytes: Uint8Array, start: number, end: number) => number;

/** Makes the counter for one encoding. */
export function createCounter(pool: PlacedPool, rules: PieceRules): CountBytes {
  const table = createRankTable(pool);
  const pieceEnd = createPieceEnd(rules);
  const countOutsider = createOutsiderCounter(table);
  return (bytes, start, end) => {
    let tokens = 0;
    for (let at = start; at < end; ) {
      const behind = pieceEnd(bytes, at, end);
      // Every single byte is a token.
      if (behind - at === 1) tokens++;
      else {
        const hash = hashOf(bytes, at, behind);
        const isToken = table.ofHashed(bytes, at, behind, hash) !== NO_RANK;
        tokens += isToken ? 1 : countOutsider(bytes, at, behind, hash);
      }
      at = behind;
    }
    return tokens;
  };
}

const SLOT_BITS = 15;
const SLOTS = 1 << SLOT_BITS;
/** In bytes. Longer pieces are rare and always counted. */
const MAX_KEPT = 56;

/**
 * Counts pieces that are not in the vocabulary. The names of a code base repeat, so a cache of fixed size keeps the last
 * piece of each slot.
 */
function createOutsiderCounter(table: RankTable) {
  const kept = new Uint8Array(SLOTS * MAX_KEPT);
  const lengths = new Uint8Array(SLOTS);
  const counts = new Uint8Array(SLOTS);
  return (bytes: Uint8Array, start: number, end: number, hash: number): number => {
    const length = end - start;
    if (length > MAX_KEPT) return countMerged(bytes, start, end, table);
    const slot = (hash ^ (hash >>> SLOT_BITS)) & (SLOTS - 1);
    const place = slot * MAX_KEPT;
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

/** In bytes. Up to this, looking at every pair is faster than a heap. */
const SHORT = 48;
const NEVER = 0x7fffffff;
const POSITIONS = 2 ** 32;

const starts = new Int32Array(SHORT + 1);
const ranks = new Int32Array(SHORT + 1);

/** The number of tokens after byte pair merging: the pair with the lowest rank first, the leftmost of equal ones. */
function countMerged(bytes: Uint8Array, start: number, end: number, table: RankTable): number {
  const size = end - start;
  if (size < 2) return size;
  return size <= SHORT ? mergeShort(bytes, start, size, table) : mergeLong(bytes.subarray(start, end), table);
}

/** Searches all pairs for each merge. The two arrays above are reused, so nothing is allocated. */
function mergeShort(bytes: Uint8Array, start: number, size: number, table: RankTable): number {
  for (let at = 0; at < size; at++) {
    starts[at] = start + at;
    const rank = at + 1 < size ? table.ofBytes(bytes, start + at, start + at + 2) : NO_RANK;
    ranks[at] = rank === NO_RANK ? NEVER : rank;
  }
  starts[size] = start + size;
  let left = size;
  for (;;) {
    let best = 0;
    for (let at = 1; at < left; at++) if (ranks[at]! < ranks[best]!) best = at;
    if (ranks[best] === NEVER) return left;
    // A loop, because a call of `copyWithin` costs more than moving so few numbers.
    for (let at = best + 1; at < left; at++) {
      starts[at] = starts[at + 1]!;
      ranks[at] = ranks[at + 1]!;
    }
    left--;
    for (let at = best; at >= 0 && at >= best - 1; at--) {
      const rank = at + 1 < left ? table.ofBytes(bytes, starts[at]!, starts[at + 2]!) : NO_RANK;
      ranks[at] = rank === NO_RANK ? NEVER : rank;
    }
  }
}

/** The same with a heap. Without it, a megabyte of text without a break would take hours. */
function mergeLong(bytes: Uint8Array, table: RankTable): number {
  const size = bytes.length;
  const next = new Int32Array(size);
  const previous = new Int32Array(size);
  const current = new Int32Array(size);
  const heap = createHeap((one, other) => one < other);
  const finish = (at: number) => {
    const middle = next[at]!;
    const rank = middle < size ? table.ofBytes(bytes, at, next[middle]!) : NO_RANK;
    current[at] = rank;
    if (rank !== NO_RANK) heap.push(rank * POSITIONS + at);
  };
  for (let at = 0; at < size; at++) {
    next[at] = at + 1;
    previous[at] = at - 1;
  }
  for (let at = 0; at < size; at++) finish(at);
  let tokens = size;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const rank = Math.floor(key / POSITIONS);
    const at = key - rank * POSITIONS;
    // A key is stale when its pair was merged in the meantime.
    if (current[at] !== rank) continue;
    const gone = next[at]!;
    current[gone] = NO_RANK;
    next[at] = next[gone]!;
    if (next[at]! < size) previous[next[at]!] = at;
    tokens--;
    finish(at);
    if (previous[at]! >= 0) finish(previous[at]!);
  }
  return tokens;
}
