import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CountTokens, loadTokenCounter } from './count-tokens.ts';
import { fitRendered } from './fit-rendered.ts';
import type { ChosenPart, FitStrategy, Part } from './part.ts';

let count: CountTokens;
beforeAll(async () => {
  count = await loadTokenCounter('o200k_base');
});

const nastyLine = fc.constantFrom(
  'export function refreshToken(session: Session): Promise<Token> {',
  '  return this.store.get(key) ?? (await load(key));\r',
  '     \t   ',
  '漢字かな交じり文の説明です。',
  '😀👩‍👩‍👧 emoji 🇩🇪',
  '/ leading slash',
  '}'.repeat(40),
  '=======',
  "it's a contraction, isn't it?",
  '\u0301combining first',
  '',
);
const body = fc.array(nastyLine, { minLength: 1, maxLength: 60 }).map((lines) => lines.join('\n'));

interface Drawn {
  readonly path: string;
  readonly score: number;
  readonly text: string;
}
const drawn: fc.Arbitrary<Drawn> = fc.record({
  path: fc.stringMatching(/^[a-z]{1,12}\/[a-z]{1,12}\.ts$/),
  score: fc.double({ min: 0.01, max: 1, noNaN: true }),
  text: body,
});

const sectionOf = (one: Drawn, form: string) =>
  form === 'full' ? `## ${one.path}\n${one.text}\n` : `- ${one.path}\n`;
const partsOf = (all: readonly Drawn[], cost: (text: string) => number): Part[] =>
  all.map((one, at) => ({
    id: `${one.path} ${at}`,
    priority: one.score,
    protected: at % 7 === 3,
    forms: [
      { name: 'full', cost: cost(sectionOf(one, 'full')), value: one.score },
      { name: 'mention', cost: cost(sectionOf(one, 'mention')), value: one.score * 0.05 },
    ],
  }));
/** Fulls, then a heading and the mentions: more than the sum of its parts, and in another order. */
const rendererOf = (all: readonly Drawn[]) => (chosen: readonly ChosenPart[]) => {
  const text = (one: ChosenPart) => {
    const section = sectionOf(all[one.index]!, one.form);
    return one.cut ? section.slice(0, one.cost) : section;
  };
  const full = chosen.filter(({ form }) => form === 'full').map(text);
  const mentions = chosen.filter(({ form }) => form !== 'full').map(text);
  return ['# Context\n', ...full, mentions.length > 0 ? '## Also\n' : '', ...mentions, 'end\n'].join('');
};
const strategies: fc.Arbitrary<FitStrategy> = fc.constantFrom(
  { kind: 'value' },
  { kind: 'relevance' },
  { kind: 'latest-first', maxItems: 9, maxPerItem: 500 },
);

describe('fitRendered', () => {
  it.each([
    ['exact', (text: string) => count(text)],
    ['far too low', () => 1],
    ['far too high', (text: string) => text.length],
  ])('never exceeds the limit when costs are %s', (_, cost) => {
    fc.assert(
      fc.property(
        fc.array(drawn, { maxLength: 25 }),
        fc.integer({ min: 1, max: 4_000 }),
        strategies,
        (all, limit, strategy) => {
          const { text, used, frame, chosen, receipts } = fitRendered({
            parts: partsOf(all, cost),
            limit,
            strategy,
            render: rendererOf(all),
            count,
          });
          expect(used).toBe(count(text));
          expect(used).toBeLessThanOrEqual(limit);
          expect(receipts).toHaveLength(all.length);
          expect(receipts.filter(({ outcome }) => outcome === 'in')).toHaveLength(chosen.length);
          if (frame > limit) expect(text).toBe('');
          else expect(text).toBe(rendererOf(all)(chosen));
        },
      ),
      { numRuns: 400 },
    );
  });

  it('fills 95 % when there is that much to say, up to 200,000 tokens', () => {
    const lines = fc.sample(
      nastyLine.filter((line) => line.length > 9),
      { numRuns: 3_000, seed: 1 },
    );
    const all = Array.from({ length: 900 }, (_, at): Drawn => {
      const from = (at * 37) % 2_900;
      const text = lines.slice(from, from + 2 + ((at * 13) % 40)).join('\n');
      return { path: `src/file-${at}.ts`, score: ((at * 7919) % 900) / 900 + 0.01, text };
    });
    const parts = partsOf(all, count).map((part) => ({ ...part, protected: false }));
    const most = parts.reduce((sum, { forms }) => sum + forms[0]!.cost, 0);
    for (const limit of [500, 1_000, 4_096, 9_999, 32_000, 100_000, 200_000]) {
      for (const kind of ['value', 'relevance'] as const) {
        const { used } = fitRendered({ parts, limit, strategy: { kind }, render: rendererOf(all), count });
        expect(used).toBeLessThanOrEqual(limit);
        expect(used).toBeGreaterThan(Math.min(limit, most) * 0.95);
      }
    }
  });

  it('says how much the frame takes when that is already too much', () => {
    const fit = fitRendered({
      parts: [{ id: 'a', priority: 1, forms: [{ name: 'full', cost: 0 }] }],
      limit: 3,
      strategy: { kind: 'value' },
      render: () => 'a frame of many words',
      count: (text) => text.split(' ').length,
    });
    expect(fit).toMatchObject({ text: '', used: 0, frame: 5, chosen: [] });
    expect(fit.receipts[0]).toMatchObject({ outcome: 'out', reason: 'over-limit-when-rendered' });
  });

  it('renders twice when costs add up', () => {
    let renders = 0;
    const texts = ['one\n', 'two words\n', 'three whole words\n'];
    fitRendered({
      parts: texts.map((text, at) => ({
        id: `${at}`,
        priority: at,
        forms: [{ name: 'full', cost: text.length }],
      })),
      limit: 20,
      strategy: { kind: 'relevance' },
      render: (chosen) => {
        renders++;
        return chosen.map(({ index }) => texts[index]).join('');
      },
      count: (text) => text.length,
    });
    expect(renders).toBe(2);
  });
});
