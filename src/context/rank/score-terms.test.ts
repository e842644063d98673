import { describe, expect, it } from 'vitest';
import type { Corpus } from './corpus.ts';
import { rarity, scoreTerms } from './score-terms.ts';

/** Two files with 10 and 30 words of code and 2 and 2 definitions. */
const CORPUS = {
  fileCount: 2,
  size: 2,
  lengths: Uint32Array.from([10, 0, 0, 2, 30, 0, 0, 2]),
  averages: [20, 1, 1, 2],
} as unknown as Corpus;

const CODE_ONLY = { fields: [1, 0, 0, 0], lengthShare: 0.75, saturation: 1.2 };

const hits = (files: number[], counts: number[]) => ({
  files: Int32Array.from(files),
  counts: Float32Array.from(counts),
});

describe('rarity', () => {
  it('is the logarithm of how few documents have the word', () => {
    expect(rarity(100, 1)).toBeCloseTo(Math.log(1 + 99.5 / 1.5), 12);
    expect(rarity(100, 50)).toBeCloseTo(Math.log(2), 12);
  });

  it('is never negative, not even for a word that all have', () => {
    expect(rarity(10, 10)).toBeGreaterThan(0);
    expect(rarity(10, 10)).toBeLessThan(0.05);
  });
});

describe('scores of terms', () => {
  it('are BM25 on a single field', () => {
    const scores = scoreTerms(CORPUS, [{ hits: hits([0], [2, 0, 0, 0]), weight: 1 }], CODE_ONLY);
    // idf ln(1 + 1.5/1.5); length 10 of mean 20: 0.25 + 0.75 * 0.5 = 0.625; tf 2 / 0.625 = 3.2
    expect(scores[0]).toBeCloseTo((Math.log(2) * 2.2 * 3.2) / 4.4, 10);
    expect(scores[1]).toBe(0);
  });

  it('hold long files back', () => {
    const both = hits([0, 1], [2, 0, 0, 0, 2, 0, 0, 0]);
    const scores = scoreTerms(CORPUS, [{ hits: both, weight: 1 }], CODE_ONLY);
    // length 30 of mean 20: 0.25 + 0.75 * 1.5 = 1.375; tf 2 / 1.375
    const idf = Math.log(1 + 0.5 / 2.5);
    expect(scores[0]).toBeCloseTo((idf * 2.2 * 3.2) / 4.4, 10);
    expect(scores[1]).toBeCloseTo((idf * 2.2 * (2 / 1.375)) / (2 / 1.375 + 1.2), 10);
  });

  it('weigh the fields before repetition stops counting', () => {
    const weights = { fields: [1, 0, 0, 3], lengthShare: 0, saturation: 1.2 };
    const scores = scoreTerms(CORPUS, [{ hits: hits([0], [1, 5, 5, 1]), weight: 2 }], weights);
    expect(scores[0]).toBeCloseTo((2 * Math.log(2) * 2.2 * 4) / 5.2, 10);
  });

  it('add up over terms, and a term without weight adds nothing', () => {
    const one = { hits: hits([1], [1, 0, 0, 0]), weight: 1 };
    const once = scoreTerms(CORPUS, [one], CODE_ONLY)[1]!;
    const all = scoreTerms(CORPUS, [one, one, { ...one, weight: 0 }], CODE_ONLY);
    expect(all[1]).toBeCloseTo(2 * once, 12);
    expect(all[0]).toBe(0);
  });
});
