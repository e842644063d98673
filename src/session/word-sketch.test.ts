import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordParts } from '../model/word-parts.ts';
import { sketchHas, wordSketch } from './context-builder.ts';

describe('a word sketch', () => {
  it('has every word of a text and every part of it, in any script', () => {
    const pieces = fc.constantFrom(
      'parseHTTPHeaders2',
      'snake_case',
      'Größe',
      '漢字かな',
      'naïve',
      'x',
      ' ',
      '\n',
      '…',
      '\u00a0',
      '\u{1f600}',
      '-',
      'a'.repeat(70),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (list) => {
        const text = list.join('');
        const sketch = wordSketch(text);
        const words = [...text.matchAll(/[\p{L}\p{N}_]{2,64}/gu)].flatMap(([word]) => [...wordParts(word)]);
        expect(words.filter((word) => !sketchHas(sketch, word))).toEqual([]);
        expect(sketch.length).toBe(new Set(words).size);
      }),
      { numRuns: 300 },
    );
  });

  it('stays small for any text', () => {
    const text = Array.from({ length: 40_000 }, (_, at) => `word${at}`).join(' ');
    expect(wordSketch(text).length).toBeLessThanOrEqual(4_096);
    expect(sketchHas(wordSketch(''), 'word')).toBe(false);
  });
});
