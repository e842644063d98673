import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitResult, resultLimit } from './result-limit.ts';

describe('resultLimit', () => {
  it('is known for clients that cut, by the names that they give themselves', () => {
    expect(resultLimit('codex-mcp-client')).toBeLessThan(48_000);
    expect(resultLimit('gemini-cli-mcp-client')).toBeLessThan(40_000);
    expect(resultLimit('claude-code')).toBe(Number.POSITIVE_INFINITY);
    expect(resultLimit('')).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('fitResult', () => {
  it('ends inside the limit, however many bytes a token has and however little of the budget is used', async () => {
    const cases = fc.record({
      budget: fc.integer({ min: 500, max: 120_000 }),
      perToken: fc.double({ min: 1, max: 6, noNaN: true }),
      most: fc.integer({ min: 100, max: 120_000 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ budget, perToken, most }) => {
        const asked: number[] = [];
        const { text } = await fitResult(budget, 39_000, async (tokens) => {
          asked.push(tokens);
          return { text: 'x'.repeat(Math.floor(Math.min(tokens, most) * perToken)) };
        });
        expect(text.length).toBeLessThanOrEqual(39_000);
        expect(asked[0]).toBe(budget);
        expect(asked).toEqual([...asked].sort((one, other) => other - one));
      }),
    );
  });

  it('makes the text once where there is no limit', async () => {
    let made = 0;
    const make = async () => {
      made++;
      return { text: 'x'.repeat(1_000_000) };
    };
    await fitResult(20_000, Number.POSITIVE_INFINITY, make);
    expect(made).toBe(1);
  });

  it('counts bytes, not characters', async () => {
    const { text } = await fitResult(10_000, 3_000, async (tokens) => ({ text: 'é'.repeat(tokens) }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
  });
});
