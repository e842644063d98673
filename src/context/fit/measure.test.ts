import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { type CountTokens, loadTokenCounter } from './count-tokens.ts';
import { cutToBytes, cutToCharacters, cutToTokens } from './measure.ts';

let countTokens: CountTokens;
beforeAll(async () => {
  countTokens = await loadTokenCounter('o200k_base');
});

const wide = fc.string({ unit: fc.constantFrom('a', ' ', '\n', 'é', '漢', '😀', '👩‍👩‍👧'), maxLength: 120 });
const marker = fc.constantFrom('', '…', '\n[truncated]');
const measures = {
  bytes: { count: (text: string) => Buffer.byteLength(text), cut: cutToBytes },
  characters: { count: (text: string) => text.length, cut: cutToCharacters },
  tokens: {
    count: (text: string) => countTokens(text),
    cut: (text: string, limit: number, end: string) => cutToTokens(text, limit, countTokens, end),
  },
};

describe.each(Object.entries(measures))('cutting to %s', (unit, { count, cut }) => {
  it('stays within the limit, keeps a beginning, splits no character, and marks what it cut', () => {
    fc.assert(
      fc.property(wide, fc.nat(80), marker, (text, limit, end) => {
        const short = cut(text, limit, end);
        expect(count(short)).toBeLessThanOrEqual(limit);
        if (count(text) <= limit) expect(short).toBe(text);
        else if (count(end) <= limit) {
          expect(short.endsWith(end)).toBe(true);
          const kept = short.slice(0, short.length - end.length);
          expect(text.startsWith(kept)).toBe(true);
          expect(Buffer.from(kept).toString()).toBe(kept);
        } else expect(short).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  it('leaves no more room than one character takes', () => {
    const text = 'word 漢字 '.repeat(300);
    const most = unit === 'tokens' ? 3 : 2;
    for (const limit of [20, 100, 333]) {
      expect(count(cut(text, limit, '…'))).toBeGreaterThanOrEqual(limit - most);
    }
  });
});

describe('cutToTokens', () => {
  it.each(['some code();\n', 'a', ' '])('needs a moment for a megabyte of %j', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    let tokens = 0;
    const time = cpuTime(() => {
      tokens = countTokens(cutToTokens(text, 1_000, countTokens, '…'));
    });
    expect(tokens).toBeLessThanOrEqual(1_000);
    expect(tokens).toBeGreaterThan(990);
    expect(time).toBeLessThan(3_000);
  });
});
