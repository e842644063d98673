import { createHeap } from '../heap.ts';
import { NO_RANK, type RankTable } from './rank-table.ts';

/** Below this a look at every pair beats a heap. */
const SHORT = 48;
const NEVER = 0x7fffffff;
const POSITIONS = 2 ** 32;

const starts = new Int32Array(SHORT + 1);
const ranks = new Int32Array(SHORT + 1);

/** How many tokens byte pair merging leaves of one piece: the pair of lowest rank first, leftmost among equals. */
export function countMerged(bytes: Uint8Array, start: number, end: number, table: RankTable): number {
  const size = end - start;
  if (size < 2) return size;
  return size <= SHORT ? mergeShort(bytes, start, size, table) : mergeLong(bytes.subarray(start, end), table);
}

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
    // a loop: for so few, `copyWithin` takes longer to call than to run
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

/** The same with a heap: a megabyte without a break would take the plain way hours. */
function mergeLong(bytes: Uint8Array, table: RankTable): number {
  const size = bytes.length;
  const next = new Int32Array(size);
  const previous = new Int32Array(size);
  const current = new Int32Array(size);
  const heap = createHeap((one, other) => one < other);
  const settle = (at: number) => {
    const middle = next[at]!;
    const rank = middle < size ? table.ofBytes(bytes, at, next[middle]!) : NO_RANK;
    current[at] = rank;
    if (rank !== NO_RANK) heap.push(rank * POSITIONS + at);
  };
  for (let at = 0; at < size; at++) {
    next[at] = at + 1;
    previous[at] = at - 1;
  }
  for (let at = 0; at < size; at++) settle(at);
  let tokens = size;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const rank = Math.floor(key / POSITIONS);
    const at = key - rank * POSITIONS;
    // what was merged since then left its old key behind
    if (current[at] !== rank) continue;
    const gone = next[at]!;
    current[gone] = NO_RANK;
    next[at] = next[gone]!;
    if (next[at]! < size) previous[next[at]!] = at;
    tokens--;
    settle(at);
    if (previous[at]! >= 0) settle(previous[at]!);
  }
  return tokens;
}
