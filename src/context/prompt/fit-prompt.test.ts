import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../fit/count-tokens.ts';
import { CHARACTERS, tokensMeasure } from '../fit/measure.ts';
import { fitPrompt } from './fit-prompt.ts';
import { OVER_BUDGET_WARNING, OVERHEAD_WARNING } from './prompt-limits.ts';
import {
  FILE_CONTEXT_PRIORITY,
  PROTECTED_KEYS,
  priorityOrder,
  type SourcePart,
  textPart,
} from './prompt-parts.ts';

const KEYS = [...PROTECTED_KEYS, ...FILE_CONTEXT_PRIORITY, 'test_output', 'log', '__proto__'];

function partOf(key: string, body: string, fence: string | null = null): SourcePart {
  const part = textPart({ key, heading: `## ${key}`, body, fence, keeps: 'ends' });
  return PROTECTED_KEYS.has(key) ? { ...part, shrink: () => null } : part;
}

const anyBody = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.nat(400).map((length) => 'word '.repeat(length)),
  fc.nat(300).map((length) => 'a line of it\n'.repeat(length)),
  fc.constantFrom('## Task', '```', '', '{{ 7 * 7 }}', '\u202e'),
);
const anyParts = fc
  .uniqueArray(
    fc.record({ key: fc.constantFrom(...KEYS), body: anyBody, fence: fc.constantFrom(null, '', 'diff') }),
    {
      selector: ({ key }) => key,
      maxLength: 12,
    },
  )
  .map((parts) => parts.map(({ key, body, fence }) => partOf(key, body, fence)));
const anyOrder = fc.array(fc.constantFrom(...KEYS, 'readme', 'task_description', 'constructor'), {
  maxLength: 8,
});

const notice = (keys: readonly string[]) =>
  keys.length === 0 ? [] : [`[Left out for the token budget: ${keys.join(', ')}]`];
describe('fitPrompt', () => {
  it('is inside the limit, keeps the protected parts, and leaves out nothing that would fit', async () => {
    const measures = [CHARACTERS, tokensMeasure(await loadTokenCounter('o200k_base'))];
    fc.assert(
      fc.property(anyParts, anyOrder, fc.nat(3_000), fc.nat(1), (parts, roleOrder, limit, which) => {
        const measure = measures[which]!;
        const render = (context: string) => `You work here.\n\n${context}\n\nAnswer in JSON.`;
        const request = { parts, roleOrder, limit, measure, render };
        const { text, shown, isOver } = fitPrompt(request);
        expect(fitPrompt(request).text).toBe(text);
        for (const { key, whole } of parts.filter((part) => PROTECTED_KEYS.has(part.key))) {
          expect(shown.get(key)).toEqual(whole);
          expect(text).toContain(whole.text);
        }
        if (isOver) {
          expect([OVER_BUDGET_WARNING, OVERHEAD_WARNING].some((warning) => text.includes(warning))).toBe(
            true,
          );
          expect([...shown.keys()].every((key) => PROTECTED_KEYS.has(key))).toBe(true);
          return;
        }
        expect(measure.count(text)).toBeLessThanOrEqual(limit);
        if (text.includes(OVERHEAD_WARNING)) return;
        for (const { key: dropped } of parts.filter(({ key }) => !shown.has(key))) {
          const inside = parts.filter(({ key }) => shown.has(key) || key === dropped);
          const texts = inside.map(({ key, whole }) => shown.get(key)?.text ?? whole.text);
          const out = parts.flatMap(({ key }) => (shown.has(key) || key === dropped ? [] : [key]));
          expect(measure.count(render([...texts, ...notice(out)].join('\n\n')))).toBeGreaterThan(limit);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out a part only when every less important one is out, too, or takes less room', () => {
    fc.assert(
      fc.property(anyParts, anyOrder, fc.nat(3_000), (parts, roleOrder, limit) => {
        const { shown } = fitPrompt({ parts, roleOrder, limit, measure: CHARACTERS });
        const order = priorityOrder(roleOrder, KEYS);
        // The size of the line that names the missing parts.
        const line = notice(parts.map(({ key }) => key)).join('').length + 2;
        const placeOf = (key: string) => (order.includes(key) ? order.indexOf(key) : order.length);
        for (const out of parts.filter(({ key }) => !shown.has(key)))
          for (const [key, { text }] of shown)
            if (!PROTECTED_KEYS.has(key) && placeOf(key) > placeOf(out.key))
              expect(text.length).toBeLessThan(out.whole.text.length + line);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never leaves out a part for a less important one whose removal would make room for it', async () => {
    const measures = [CHARACTERS, tokensMeasure(await loadTokenCounter('o200k_base'))];
    fc.assert(
      fc.property(anyParts, anyOrder, fc.nat(3_000), fc.nat(1), (parts, roleOrder, limit, which) => {
        const measure = measures[which]!;
        const { shown, isOver, text } = fitPrompt({ parts, roleOrder, limit, measure });
        if (isOver || text === OVERHEAD_WARNING) return;
        const order = priorityOrder(roleOrder, KEYS);
        const placeOf = ({ key }: SourcePart) => {
          if (PROTECTED_KEYS.has(key)) return -1;
          return order.includes(key) ? order.indexOf(key) : order.length;
        };
        for (const out of parts.filter(({ key }) => !shown.has(key))) {
          const isLess = (part: SourcePart) => placeOf(part) > placeOf(out) && shown.has(part.key);
          if (!parts.some(isLess)) continue;
          const stays = parts.filter((part) => shown.has(part.key) && !isLess(part));
          const gone = parts.filter((part) => part !== out && !stays.includes(part)).map(({ key }) => key);
          const with_ = (own: string) => {
            const texts = parts.flatMap((part) =>
              part === out ? [own] : stays.includes(part) ? [shown.get(part.key)!.text] : [],
            );
            return measure.count([...texts, ...notice(gone)].join('\n\n'));
          };
          expect(with_(out.whole.text)).toBeGreaterThan(limit);
          const room = limit - with_('');
          const smaller = room > 0 ? out.shrink(room, measure) : null;
          if (smaller !== null) expect(with_(smaller.text)).toBeGreaterThan(limit);
        }
      }),
      { numRuns: 2_000 },
    );
  }, 60_000);

  it('shows no less with a larger budget', () => {
    const anyLines = fc.array(fc.tuple(fc.constantFrom(...KEYS), fc.nat(300)), { maxLength: 8 });
    fc.assert(
      fc.property(anyLines, anyOrder, fc.nat(6_000), fc.nat(3_000), (given, roleOrder, limit, more) => {
        const sizes = new Map(given);
        const parts = [...sizes].map(([key, count]) =>
          partOf(
            key,
            Array(count + 1)
              .fill('line')
              .join('\n'),
          ),
        );
        const fitAt = (at: number) => fitPrompt({ parts, roleOrder, limit: at, measure: CHARACTERS });
        // Without what the lines take that say what is missing.
        const lines = parts.length * 25 + notice(KEYS).join('').length;
        const [small, large] = [fitAt(limit), fitAt(limit + lines + more)];
        const sizeOf = ({ shown }: typeof small, key: string) => shown.get(key)?.text.length ?? 0;
        const amount = (fitted: typeof small) => parts.reduce((sum, { key }) => sum + sizeOf(fitted, key), 0);
        expect(amount(large)).toBeGreaterThanOrEqual(amount(small));
        // Of the most important part that differs there is more.
        const order = [...priorityOrder(roleOrder, KEYS), ...KEYS];
        const differs = order.find((key) => Math.abs(sizeOf(small, key) - sizeOf(large, key)) > lines);
        if (differs !== undefined) expect(sizeOf(large, differs)).toBeGreaterThan(sizeOf(small, differs));
      }),
      { numRuns: 2_000 },
    );
  });
});
