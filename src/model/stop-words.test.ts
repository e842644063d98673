import { expect, it } from 'vitest';
import { isFiller, isStopWord } from './stop-words.ts';

it('knows words that need not be looked up', () => {
  for (const word of ['the', 'should', 'without']) expect(isStopWord(word), word).toBe(true);
});

it('looks up words that name something in code', () => {
  for (const word of ['put', 'mean', 'right', 'version', 'sin', 'par', 'es', 'token', ''])
    expect(isStopWord(word), word).toBe(false);
});

it('calls none of them a key word', () => {
  for (const word of ['the', 'bug', 'version', 'nicht', 'avec', 'cuando'])
    expect(isFiller(word), word).toBe(true);
  for (const word of ['token', 'query', 'größe', '数据']) expect(isFiller(word), word).toBe(false);
});
