import { type Corpus, FIELD_COUNT } from './corpus.ts';
import type { TermHits } from './term-hits.ts';

/** How much a word counts by where it stands, and how fast repetition stops counting. */
export interface FieldWeights {
  /** In the order of `WORD_FIELD`: code, comment, string, definition. */
  readonly fields: readonly number[];
  /** 0: long files are not held back; 1: fully. */
  readonly lengthShare: number;
  readonly saturation: number;
}

/** Inverse document frequency, never negative. */
export function rarity(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * BM25 over fields (BM25F): counts are weighted by field and by the file's length before they saturate, so that
 * a word in a definition and in its comment counts once, strongly.
 */
export function scoreTerms(
  corpus: Corpus,
  terms: readonly { readonly hits: TermHits; readonly weight: number }[],
  weights: FieldWeights,
): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  const norms = lengthNorms(corpus, weights);
  const { fields, saturation } = weights;
  for (const { hits, weight } of terms) {
    if (weight === 0) continue;
    const gain = weight * rarity(corpus.size, hits.files.length) * (saturation + 1);
    for (let place = 0; place < hits.files.length; place++) {
      const file = hits.files[place]!;
      let count = 0;
      for (let field = 0; field < FIELD_COUNT; field++)
        count += fields[field]! * hits.counts[place * FIELD_COUNT + field]!;
      if (count === 0) continue;
      const normal = count / norms[file]!;
      scores[file]! += (gain * normal) / (normal + saturation);
    }
  }
  return scores;
}

/** Length of each file against the mean, by the same field weights. */
function lengthNorms(corpus: Corpus, { fields, lengthShare }: FieldWeights): Float64Array {
  const mean = fields.reduce((sum, weight, field) => sum + weight * corpus.averages[field]!, 0) || 1;
  const norms = new Float64Array(corpus.fileCount);
  for (let file = 0; file < norms.length; file++) {
    let length = 0;
    for (let field = 0; field < FIELD_COUNT; field++)
      length += fields[field]! * corpus.lengths[file * FIELD_COUNT + field]!;
    norms[file] = 1 - lengthShare + (lengthShare * length) / mean;
  }
  return norms;
}
