import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SIGNALS, STRUCTURAL_SIGNALS } from '../../model/ranking.ts';
import { type EvidenceColumns, signalsOf, sumSides } from './evidence.ts';
import { RANKING_SIGNALS } from './signals/table.ts';

const NAMES = RANKING_SIGNALS.map(({ name }) => name);
const weightOf = (wanted: string) => RANKING_SIGNALS.find(({ name }) => name === wanted)!.weight;

function columnsWith(values: Readonly<Record<string, readonly number[]>>): EvidenceColumns {
  return Object.fromEntries(
    Object.entries(values).map(([name, column]) => [name, Float64Array.from(column)]),
  );
}

describe('the table of signals', () => {
  it('has every name once, and tells reasons only under names that it has', () => {
    expect(new Set(NAMES).size).toBe(NAMES.length);
    for (const { toldAs } of RANKING_SIGNALS) if (toldAs !== undefined) expect(NAMES).toContain(toldAs);
  });
});

describe('the two sides', () => {
  it.each(RANKING_SIGNALS)('$name counts on the side of its group, by its weight', (signal) => {
    const { name, group, weight } = signal;
    const { structure, text } = sumSides(columnsWith({ [name]: [0, 0.5] }), 2);
    const [own, other] = STRUCTURAL_SIGNALS.has(group) ? [structure, text] : [text, structure];
    expect([...own]).toEqual([0, weight * 0.5]);
    expect([...other]).toEqual([0, 0]);
  });

  it('add up', () => {
    const { text } = sumSides(columnsWith({ words: [1], passage: [0.5] }), 1);
    expect(text[0]).toBeCloseTo(weightOf('words') + 0.5 * weightOf('passage'), 12);
  });
});

describe('the signals of a file', () => {
  it('are 1 when all of their evidence is, and 0 without any', () => {
    const all = columnsWith(Object.fromEntries(NAMES.map((name) => [name, [1, 0]])));
    const used = new Set(RANKING_SIGNALS.map(({ group }) => group));
    for (const signal of SIGNALS) {
      expect(signalsOf(all, 0)[signal]).toBeCloseTo(used.has(signal) ? 1 : 0, 10);
      expect(signalsOf(all, 1)[signal]).toBe(0);
    }
  });

  it('are in 0..1 whatever the evidence', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.array(share, { minLength: NAMES.length, maxLength: NAMES.length }), (values) => {
        const columns = columnsWith(Object.fromEntries(NAMES.map((name, at) => [name, [values[at]!]])));
        for (const value of Object.values(signalsOf(columns, 0))) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
