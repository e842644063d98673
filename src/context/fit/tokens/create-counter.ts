import { createOutsiderCounter } from './count-outsiders.ts';
import { createPieceEnd, type PieceRules } from './piece-end.ts';
import { createRankTable, hashOf, NO_RANK } from './rank-table.ts';
import type { PlacedPool } from './token-pool.ts';

/** Tokens of a stretch of UTF-8. */
export type CountBytes = (bytes: Uint8Array, start: number, end: number) => number;

/** A function that counts tokens without making them. */
export function createCounter(pool: PlacedPool, rules: PieceRules): CountBytes {
  const table = createRankTable(pool);
  const pieceEnd = createPieceEnd(rules);
  const countOutsider = createOutsiderCounter(table);
  return (bytes, start, end) => {
    let tokens = 0;
    for (let at = start; at < end; ) {
      const behind = pieceEnd(bytes, at, end);
      // every single byte is a token
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
