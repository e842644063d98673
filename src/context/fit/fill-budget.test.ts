import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CountTokens, loadTokenCounter } from './count-tokens.ts';
import { fillBudget } from './fill-budget.ts';

let count: CountTokens;
beforeAll(async () => {
  count = await loadTokenCounter('o200k_base');
});

const part = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.string({ minLength: 1, maxLength: 20 }))
  .map(([body, name]) => ({ render: () => `## ${name}\n${body}\n`, mention: () => `- ${name}\n` }));

describe('fillBudget', () => {
  it('never exceeds the limit, whatever the parts', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.integer({ min: 1, max: 2_000 }), (parts, limit) => {
        const filled = fillBudget({
          limit,
          count,
          header: '# Map\n',
          laterHeading: '## More\n',
          parts,
          largest: limit / 2,
        });
        if (filled.used.length > 0) expect(count(filled.text)).toBeLessThanOrEqual(limit);
        expect(filled.tokens).toBe(count(filled.text));
        expect(new Set(filled.used.map((one) => one.part)).size).toBe(filled.used.length);
      }),
      { numRuns: 300 },
    );
  });

  it('takes the best parts whole, mentions the others, and says so', () => {
    const parts = [10, 5_000, 10].map((words, at) => ({
      render: () => `## ${at} ${'word '.repeat(words)}\n`,
      mention: () => `- ${at}\n`,
    }));
    const { used, text } = fillBudget({
      limit: 200,
      count,
      header: '# Map\n',
      laterHeading: '## More\n',
      parts,
      largest: 100,
    });
    expect(used).toEqual([
      { part: 0, form: 'signatures' },
      { part: 2, form: 'signatures' },
      { part: 1, form: 'mention' },
    ]);
    expect(text).toContain('## More\n- 1\n');
  });

  it('uses nothing when not even the header fits', () => {
    const parts = [{ render: () => 'x', mention: () => 'x' }];
    const filled = fillBudget({
      limit: 1,
      count,
      header: 'a long header that does not fit',
      laterHeading: '',
      parts,
      largest: 1,
    });
    expect(filled.used).toEqual([]);
  });
});

describe('loadTokenCounter', () => {
  it.each([
    ['o200k_base', 'hello world', 2],
    ['cl100k_base', 'hello world', 2],
    ['o200k_base', '', 0],
    ['o200k_base', '<|endoftext|>', 7],
  ] as const)('%s counts %j', async (encoding, text, tokens) => {
    expect((await loadTokenCounter(encoding))(text)).toBe(tokens);
  });

  it('stays fast on runs without a break', () => {
    const started = performance.now();
    expect(count('ab'.repeat(80_000))).toBeGreaterThan(1_000);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});
