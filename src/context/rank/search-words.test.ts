import { describe, expect, it } from 'vitest';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import { type Corpus, corpusOf, FIELD_COUNT } from './corpus.ts';
import { fileAt, indexOf } from './index.test-kit.ts';
import { wordForms } from './query-terms.ts';
import { findWords, rarity, scoreTerms, TermCounter } from './search-words.ts';

const TEXTS = {
  'a.ts': '// a token, and one more token\nexport function refreshToken() {\n  return "token";\n}\n',
  'b.ts': 'export const tokens = refreshToken;\n',
  'c.ts': 'export const unrelated = 1;\n',
};

async function countsOf(word: string, segments = 1) {
  const index = await indexOf(TEXTS, segments);
  const corpus = corpusOf(index);
  const { files, counts } = new TermCounter(corpus).count(findWords(corpus, wordForms(word)));
  return new Map([...files].map((file, at) => [index.snapshot.files[file]!.path, fields(counts, at)]));
}

function fields(counts: Float32Array, at: number) {
  const of = (field: number) => Math.round(counts[at * FIELD_COUNT + field]! * 1000) / 1000;
  return [WORD_FIELD.code, WORD_FIELD.comment, WORD_FIELD.string, WORD_FIELD.definition].map(of);
}

it('counts a term in each field, alone and as a part of a name', async () => {
  const counts = await countsOf('token');
  expect([...counts.keys()].sort()).toEqual(['a.ts', 'b.ts']);
  expect(counts.get('a.ts')).toEqual([0, 2, 1, 1]);
  // `tokens` is the same word in another number
  expect(counts.get('b.ts')).toEqual([1, 0, 0, 0.6]);
});

it('counts the same over several segments', async () => {
  expect(await countsOf('token', 3)).toEqual(await countsOf('token'));
});

it('finds a name as a whole', async () => {
  expect((await countsOf('refreshtoken')).get('b.ts')).toEqual([1, 0, 0, 0]);
});

it('finds nothing for a word that no file has', async () => {
  expect(await countsOf('absent')).toEqual(new Map());
});

it('starts over for each term', async () => {
  const index = await indexOf(TEXTS);
  const corpus = corpusOf(index);
  const counter = new TermCounter(corpus);
  const words = findWords(corpus, wordForms('token'));
  const first = counter.count(words);
  counter.count(findWords(corpus, wordForms('unrelated')));
  expect(counter.count(words)).toEqual(first);
  expect([...first.files]).toContain(fileAt(index, 'a.ts'));
});

it('has room for more files than it began with', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 1_500 }, (_, at) => [`f${at}.txt`, `common word${at}\n`]),
  );
  const corpus = corpusOf(await indexOf(many));
  const { files, counts } = new TermCounter(corpus).count(findWords(corpus, wordForms('common')));
  expect(files.length).toBe(1_500);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1_500);
});

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
