import { countMerged } from './count-merged.ts';
import { type PieceRules, pieceEnd } from './piece-end.ts';
import { createRankTable, NO_RANK } from './rank-table.ts';
import type { PlacedPool } from './token-pool.ts';

/** Pieces outside the vocabulary come back often: the names of a code base. */
const MOST_KEPT = 50_000;
const LONGEST_KEPT = 100;

/** A function that counts tokens without making them. */
export function createCounter(pool: PlacedPool, rules: PieceRules): (text: string) => number {
  const table = createRankTable(pool);
  const encoder = new TextEncoder();
  const kept = new Map<string, number>();
  let scratch = new Uint8Array(1_024);

  const countOutsider = (piece: string): number => {
    const known = kept.get(piece);
    if (known !== undefined) return known;
    if (piece.length * 3 > scratch.length) scratch = new Uint8Array(piece.length * 3);
    const size = encoder.encodeInto(piece, scratch).written;
    const inVocabulary = table.ofBytes(scratch, 0, size) !== NO_RANK;
    const tokens = inVocabulary ? 1 : countMerged(scratch, size, table);
    if (piece.length <= LONGEST_KEPT) {
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(piece, tokens);
    }
    return tokens;
  };

  return (text) => {
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(text, start, rules);
      tokens += table.ofText(text, start, end) >= 0 ? 1 : countOutsider(text.substring(start, end));
      start = end;
    }
    return tokens;
  };
}
