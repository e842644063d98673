import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../fit/count-tokens.ts';
import { CHARACTERS, tokensMeasure } from '../fit/measure.ts';
import { fitPromptParts } from './fit-prompt-parts.ts';
import { FILE_CONTEXT_PRIORITY, PROTECTED_KEYS, priorityOrder } from './part-order.ts';
import { OVER_BUDGET_WARNING } from './prompt-limits.ts';

const anyKey = fc.constantFrom(
  ...PROTECTED_KEYS,
  ...FILE_CONTEXT_PRIORITY,
  'test_output',
  'log',
  '__proto__',
);
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.nat(400).map((length) => 'word '.repeat(length)),
  fc.constantFrom('## Task', '```', '', '{{ 7 * 7 }}', '\u202e'),
);
const anyParts = fc.uniqueArray(fc.record({ key: anyKey, text: anyText }), {
  selector: ({ key }) => key,
  maxLength: 12,
});
const anyOrder = fc.array(fc.oneof(anyKey, fc.constantFrom('readme', 'task_description', 'constructor')), {
  maxLength: 8,
});

describe('fitPromptParts', () => {
  it('is inside the limit, keeps what is protected, and drops nothing above what it keeps', async () => {
    const measures = [CHARACTERS, tokensMeasure(await loadTokenCounter('o200k_base'))];
    fc.assert(
      fc.property(anyParts, anyOrder, fc.nat(3_000), fc.nat(1), (parts, roleOrder, limit, which) => {
        const measure = measures[which]!;
        const keys = parts.map(({ key }) => key);
        const order = priorityOrder(roleOrder, keys);
        const { text, kept } = fitPromptParts(parts, limit, order, measure);
        expect(fitPromptParts(parts, limit, order, measure).text).toBe(text);
        const required = parts.filter(({ key }) => PROTECTED_KEYS.has(key));
        for (const { key, text: own } of required) {
          expect(kept.has(key)).toBe(true);
          expect(text).toContain(own);
        }
        if (text.endsWith(OVER_BUDGET_WARNING)) expect([...kept]).toEqual(required.map(({ key }) => key));
        else expect(measure.count(text)).toBeLessThanOrEqual(limit);
        const rank = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
        const out = keys.filter((key) => !kept.has(key)).map(rank);
        const inside = keys.filter((key) => kept.has(key) && !PROTECTED_KEYS.has(key)).map(rank);
        expect(Math.max(-1, ...inside)).toBeLessThanOrEqual(Math.min(order.length + 1, ...out));
      }),
      { numRuns: 1_500 },
    );
  });

  it('says what is left out', () => {
    const parts = [
      { key: 'target_file', text: 'a'.repeat(50) },
      { key: 'files', text: 'b'.repeat(500) },
    ];
    expect(fitPromptParts(parts, 120, FILE_CONTEXT_PRIORITY, CHARACTERS).text).toBe(
      `${'a'.repeat(50)}\n\n[Left out for the token budget: files]`,
    );
  });
});
