import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wordParts } from './word-parts.ts';

describe('wordParts', () => {
  it.each([
    ['parse', ['parse']],
    ['parseHTTPHeaders2', ['parsehttpheaders2', 'parse', 'http', 'headers', '2']],
    ['snake_case_name', ['snakecasename', 'snake', 'case', 'name']],
    ['__init__', ['init']],
    ['XMLParser', ['xmlparser', 'xml', 'parser']],
    ['MAX_SIZE', ['maxsize', 'max', 'size']],
    ['Größe', ['größe']],
    ['数据库', ['数据库', '数据', '据库']],
    ['___', []],
  ])('%s', (word, parts) => {
    expect(wordParts(word)).toEqual(parts);
  });

  it('gives lower-case, distinct, non-empty parts for anything', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (word) => {
        const parts = wordParts(word);
        expect(new Set(parts).size).toBe(parts.length);
        for (const part of parts) expect(part).toBe(part.toLowerCase());
        expect(parts).not.toContain('');
      }),
    );
  });
});
