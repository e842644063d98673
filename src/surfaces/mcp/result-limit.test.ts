import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitParts, fitResult, NO_RESULT_LIMIT, resultLimit } from './result-limit.ts';

describe('resultLimit', () => {
  it('is known for clients that cut, by the names that they give themselves', () => {
    expect(resultLimit('codex-mcp-client').bytes).toBeLessThan(48_000);
    expect(resultLimit('gemini-cli-mcp-client').bytes).toBeLessThan(40_000);
    expect(resultLimit('opencode').bytes).toBeLessThan(51_200);
    expect(resultLimit('opencode').lines).toBeLessThan(2_000);
    expect(resultLimit('copilot-cli').bytes).toBeLessThan(20_480);
    expect(resultLimit('claude-code')).toEqual(NO_RESULT_LIMIT);
    expect(resultLimit('')).toEqual(NO_RESULT_LIMIT);
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
        const { text } = await fitResult(budget, { ...NO_RESULT_LIMIT, bytes: 39_000 }, async (tokens) => {
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
    await fitResult(20_000, NO_RESULT_LIMIT, make);
    expect(made).toBe(1);
  });

  it('counts bytes, not characters', async () => {
    const { text } = await fitResult(10_000, { ...NO_RESULT_LIMIT, bytes: 3_000 }, async (tokens) => ({
      text: 'é'.repeat(tokens),
    }));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
  });

  it('counts lines where a client does', async () => {
    const limit = { bytes: 100_000, lines: 1_000 };
    const { text } = await fitResult(10_000, limit, async (tokens) => ({ text: 'a\n'.repeat(tokens) }));
    expect(text.split('\n').length).toBeLessThanOrEqual(1_000);
  });
});

it('fitParts keeps the first, as many as are inside the limit', () => {
  const parts = Array.from({ length: 50 }, (_, at) => `part ${at} ${'x'.repeat(90)}`);
  const text = fitParts(parts, { ...NO_RESULT_LIMIT, bytes: 2_000 });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000);
  expect(text.split('\n').length).toBeGreaterThan(15);
  expect(parts.join('\n').startsWith(text)).toBe(true);
  expect(fitParts(parts, NO_RESULT_LIMIT)).toBe(parts.join('\n'));
});
