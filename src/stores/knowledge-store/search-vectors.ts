// Vectors of one byte per number: how they are packed, and how a query is compared with them.

import type { PackedVector, StoredPassage, VectorQuery } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { LineSpan } from '../../model/ranking.ts';

/** The best passage of a file and how near it is, from 0 to 1. */
interface PassageScore {
  readonly score: number;
  readonly span: LineSpan;
}

/** The best passage of a file against a query; null when none points the same way. */
type PassageSearch = (passages: readonly StoredPassage[]) => PassageScore | null;

/**
 * Prepares a query. Throws `store-refused` for a vector without a direction or of another length than the
 * stored ones.
 */
export function passageSearch({ vector }: VectorQuery): PassageSearch {
  const unit = unitVector(vector);
  if (!unit) throw refused('the vector of a query has no direction');
  return (passages) => {
    let best: StoredPassage | null = null;
    let most = 0;
    for (const passage of passages) {
      const { length } = passage.vector.codes;
      if (length !== unit.length)
        throw refused(`the query has ${unit.length} numbers, the stored vectors have ${length}`);
      const score = cosine(passage.vector, unit);
      if (score <= most) continue;
      most = score;
      best = passage;
    }
    return best && { score: most, span: { startLine: best.startLine, endLine: best.endLine } };
  };
}

/** The error for a request that no retry can make right. */
export function refused(message: string): LoadoutError {
  return new LoadoutError('store-refused', message);
}

/** The largest code of a byte with a sign. */
const MAX_VALUE = 127;

/** Brings a vector to length 1 and a byte for each number; null when it has no direction. */
export function packVector(vector: ArrayLike<number>): PackedVector | null {
  let squares = 0;
  let largest = 0;
  for (let at = 0; at < vector.length; at++) {
    const value = vector[at]!;
    squares += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return null;
  const codes = new Int8Array(vector.length);
  for (let at = 0; at < codes.length; at++) codes[at] = Math.round((vector[at]! / largest) * MAX_VALUE);
  return { codes, scale: largest / length / MAX_VALUE };
}

/** Cosine of a packed vector and one of length 1. */
export function cosine({ codes, scale }: PackedVector, unit: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < codes.length; at++) sum += codes[at]! * unit[at]!;
  return sum * scale;
}

/** The same direction at length 1; null when it has none. */
export function unitVector(vector: ArrayLike<number>): Float32Array | null {
  let squares = 0;
  for (let at = 0; at < vector.length; at++) squares += vector[at]! * vector[at]!;
  const length = Math.sqrt(squares);
  if (!(length > 0) || !Number.isFinite(length)) return null;
  return Float32Array.from(vector, (value) => value / length);
}
