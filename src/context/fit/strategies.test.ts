import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { fitParts } from './fit-rendered.ts';
import type { Part } from './part.ts';

/** The best sum there is, by trying every amount: only for small limits. */
function optimum(parts: readonly Part[], limit: number): number {
  let best = new Float64Array(limit + 1);
  for (const { forms } of parts) {
    const next = best.slice();
    for (const { cost, value = 0 } of forms) {
      for (let room = cost; room <= limit; room++) {
        next[room] = Math.max(next[room]!, best[room - cost]! + value);
      }
    }
    best = next;
  }
  return best[limit]!;
}

function reached(parts: readonly Part[], limit: number): number {
  const { chosen } = fitParts({ parts, limit, strategy: { kind: 'value' } });
  return chosen.reduce((sum, { index, form }) => {
    return sum + parts[index]!.forms.find(({ name }) => name === form)!.value!;
  }, 0);
}

const share = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const files = (least: number, most: number, largest: number) =>
  fc
    .array(
      fc.record({
        full: fc.integer({ min: 5, max: largest }),
        score: share(0, 1).map((score) => score ** 2),
        excerpt: share(0.2, 0.6),
        excerptValue: share(0.5, 0.95),
        signatures: share(0.05, 0.25),
        signaturesValue: share(0.1, 0.5),
      }),
      { minLength: least, maxLength: most },
    )
    .map((drawn) =>
      drawn.map(
        (one, at): Part => ({
          id: `file ${at}`,
          priority: one.score,
          forms: [
            { name: 'full', cost: one.full, value: one.score },
            { name: 'excerpt', cost: Math.ceil(one.full * one.excerpt), value: one.score * one.excerptValue },
            {
              name: 'signatures',
              cost: Math.ceil(one.full * one.signatures),
              value: one.score * one.signaturesValue,
            },
            { name: 'mention', cost: 3, value: one.score * 0.05 },
          ],
        }),
      ),
    );

function ratios(parts: fc.Arbitrary<Part[]>, limits: fc.Arbitrary<number>, numRuns: number): number[] {
  const seen: number[] = [];
  fc.assert(
    fc.property(parts, limits, (drawn, limit) => {
      const best = optimum(drawn, limit);
      if (best > 0) seen.push(reached(drawn, limit) / best);
    }),
    { numRuns },
  );
  return seen;
}
const average = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

describe('the choice by value, compared with the best one', () => {
  it('comes within a percent when parts are small against the limit', () => {
    const seen = ratios(files(30, 50, 60), fc.integer({ min: 600, max: 1_200 }), 300);
    expect(average(seen)).toBeGreaterThan(0.998);
    expect(Math.min(...seen)).toBeGreaterThan(0.98);
  });

  it('comes close when few parts fit', () => {
    const seen = ratios(files(4, 12, 100), fc.integer({ min: 30, max: 300 }), 500);
    expect(average(seen)).toBeGreaterThan(0.99);
    expect(Math.min(...seen)).toBeGreaterThan(0.8);
  });
});

describe('speed', () => {
  it('chooses among 30,000 parts in a moment', () => {
    const parts = Array.from({ length: 30_000 }, (_, at): Part => {
      const score = ((at * 7919) % 30_000) / 30_000;
      const full = 20 + ((at * 104_729) % 4_000);
      return {
        id: `src/folder/file-${at}.ts`,
        priority: score,
        forms: [
          { name: 'full', cost: full, value: score },
          { name: 'excerpt', cost: Math.ceil(full * 0.4), value: score * 0.8 },
          { name: 'signatures', cost: Math.ceil(full * 0.15), value: score * 0.4 },
          { name: 'mention', cost: 12, value: score * 0.05 },
        ],
      };
    });
    const times = Array.from({ length: 5 }, () => {
      return cpuTime(() => {
        const { used } = fitParts({ parts, limit: 100_000, strategy: { kind: 'value' } });
        expect(used).toBeGreaterThan(99_900);
      });
    });
    // about 20 ms on a core of its own
    expect(Math.min(...times)).toBeLessThan(200);
  });
});
