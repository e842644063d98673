import { expect, it } from 'vitest';
import { countCached, createMemoryTokenCountCache } from './token-count-cache.ts';

it('counts a text once for each encoding', () => {
  const cache = createMemoryTokenCountCache();
  let counted = 0;
  const count = (text: string) => {
    counted++;
    return text.length;
  };
  const text = { text: 'abc', hash: 'h1' };
  expect(countCached(text, 'o200k_base', count, cache)).toBe(3);
  expect(countCached(text, 'o200k_base', count, cache)).toBe(3);
  expect(counted).toBe(1);
  countCached(text, 'cl100k_base', count, cache);
  expect(counted).toBe(2);
});

it('forgets the oldest when it is full', () => {
  const cache = createMemoryTokenCountCache(2);
  for (const hash of ['a', 'b', 'c']) cache.set(hash, 'o200k_base', 1);
  expect(['a', 'b', 'c'].map((hash) => cache.get(hash, 'o200k_base'))).toEqual([undefined, 1, 1]);
});
