import type { StoredPassage, VectorQuery } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { LineSpan } from '../../model/ranking.ts';
import { cosine, unitVector } from './packed-vector.ts';

interface PassageScore {
  readonly score: number;
  readonly span: LineSpan;
}

/** The best passage of a file against a query; null when none points the same way. */
export type PassageSearch = (passages: readonly StoredPassage[]) => PassageScore | null;

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

export function refused(message: string): LoadoutError {
  return new LoadoutError('store-refused', message);
}
