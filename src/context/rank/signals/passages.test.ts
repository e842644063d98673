import { describe, expect, it } from 'vitest';
import { corpusOf } from '../corpus.ts';
import { indexOf, type Texts } from '../index.test-kit.ts';
import { wordForms } from '../query-terms.ts';
import { findWords } from '../search-words.ts';
import { BLOCK_LINES, bestTwo, PASSAGE_BLOCKS, scorePassages } from './passages.ts';

/** A text with some lines at given places, the rest empty. */
function textOf(length: number, lines: Readonly<Record<number, string>>): string {
  return Array.from({ length }, (_, at) => lines[at + 1] ?? '').join('\n');
}

async function passagesOf(texts: Texts, ...words: string[]) {
  const index = await indexOf(texts);
  const corpus = corpusOf(index);
  const terms = words.map((word) => ({ words: findWords(corpus, wordForms(word)), gain: 1 }));
  return scorePassages(corpus, [...index.snapshot.files.keys()], terms);
}

describe('passages', () => {
  it('score higher where several terms are close together', async () => {
    const [scores] = await passagesOf(
      { 'a.txt': textOf(400, { 10: 'alpha', 200: 'alpha beta', 390: 'beta' }) },
      'alpha',
      'beta',
    );
    const { first, second, block } = bestTwo(scores!);
    // each term once in the passage: 1 * 1.8 / 1.8
    expect(first).toBeCloseTo(2, 5);
    expect(second).toBeCloseTo(1, 5);
    const line = block * BLOCK_LINES;
    expect(line).toBeLessThanOrEqual(200);
    expect(line + BLOCK_LINES * PASSAGE_BLOCKS).toBeGreaterThan(200);
  });

  it('gain little by repetition', async () => {
    const [scores] = await passagesOf({ 'a.txt': textOf(40, { 3: 'alpha '.repeat(12) }) }, 'alpha');
    expect(bestTwo(scores!).first).toBeCloseTo((12 * 1.8) / 12.8, 5);
  });

  it('reach the last line of a long file', async () => {
    const [scores] = await passagesOf({ 'a.txt': textOf(5_000, { 5000: 'alpha' }) }, 'alpha');
    expect(scores!.length).toBeGreaterThan(5_000 / BLOCK_LINES - 1);
    expect(bestTwo(scores!).first).toBeCloseTo(1, 5);
  });

  it('are empty where no term is', async () => {
    const [scores] = await passagesOf({ 'a.txt': textOf(50, { 7: 'gamma' }) }, 'alpha');
    expect(bestTwo(scores!)).toEqual({ first: 0, second: 0, block: 0 });
  });

  it('of one file do not leak into another', async () => {
    const scores = await passagesOf({ 'a.txt': 'alpha\n', 'b.txt': 'beta\n' }, 'alpha');
    expect(scores.map((one) => bestTwo(one).first)).toEqual([1, 0]);
  });
});
