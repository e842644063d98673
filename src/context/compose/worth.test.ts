import { describe, expect, it } from 'vitest';
import type { ContextItem, ItemForm } from '../../model/context-pack.ts';
import type { RankedFile } from '../../model/ranking.ts';
import { itemOf } from '../render/pack.test-kit.ts';
import type { Build, BuiltForm, Candidate } from './file-forms.ts';
import type { ItemSource } from './source.ts';
import { worthwhileForms } from './worth.ts';

const LINES = Array.from({ length: 400 }, (_, at) => `const value${at} = compute(${at}, 'some text');`);
const BUDGET = 100_000;

/** Prices like a tokenizer that takes four characters for each token. */
function buildFor({ text }: ItemSource): Build {
  const form = (name: string, kind: ItemForm, value: number, shown: Partial<ContextItem>): BuiltForm => {
    const content = shown.content ?? '';
    return {
      name,
      value,
      item: itemOf({ path: 'a.ts', ...shown, form: kind, tokens: 20 + content.length / 4 }),
    };
  };
  return {
    whole: (value) => form('full', 'full', value, { content: text }),
    excerpt: (name, shown, value) => form(name, 'excerpt', value, shown),
    signatures: (value) => form('signatures', 'signatures', value, { content: text.slice(0, 200) }),
    mention: (value) => form('mention', 'mention', value, {}),
  };
}

interface Some {
  readonly score?: number;
  readonly need?: number;
  readonly lines?: readonly string[];
  readonly generated?: boolean;
  readonly isNamed?: boolean;
  readonly places?: readonly (readonly [name: string, first: number, last: number, likelihood: number])[];
}

function candidate({
  score = 1,
  need = 0.6,
  lines = LINES,
  places = [],
  isNamed,
  ...some
}: Some = {}): Candidate {
  const symbols = places.map(([name, startLine, endLine, likelihood]) => {
    return { name, startLine, endLine, likelihood, score: 1, isMentioned: false, words: [] };
  });
  const classification = { role: 'source', generated: some.generated ?? false, vendored: false, reasons: [] };
  const source = {
    ...{
      path: 'a.ts',
      text: lines.join('\n'),
      lines,
      language: null,
      symbols: [],
      imports: [],
      findings: [],
    },
    ...{ isStale: false, file: { classification } as unknown as ItemSource['file'] },
  };
  const ranked = { combinedScore: score, symbols, blocks: [], spans: [] } as unknown as RankedFile;
  return {
    source,
    ranked,
    origin: 'both',
    isAsked: false,
    need,
    reason: '',
    ...(isNamed ? { isNamed } : {}),
  };
}

const formsOf = (some: Some, budget = BUDGET) => {
  const given = candidate(some);
  return worthwhileForms(given, buildFor(given.source), 1, budget);
};
const kinds = (forms: readonly BuiltForm[]) => new Set(forms.map(({ item }) => item.form));
const PLACES = [
  ['long', 1, 100, 0.2],
  ['short', 200, 205, 0.15],
  ['weak', 300, 390, 0.0001],
] as const;

describe('the forms of a file', () => {
  it('are whole only near the best score, and in bounds', () => {
    expect(kinds(formsOf({ places: PLACES }))).toEqual(new Set(['full', 'excerpt', 'mention']));
    expect(kinds(formsOf({ score: 0.5, places: PLACES }))).toEqual(new Set(['excerpt', 'mention']));
    const huge = Array.from({ length: 40 }, () => LINES).flat();
    expect(kinds(formsOf({ lines: huge, places: PLACES }))).toEqual(new Set(['excerpt', 'mention']));
    // in a small budget one file must leave room for others
    expect(kinds(formsOf({ places: PLACES }, 8_000))).toEqual(new Set(['excerpt', 'mention']));
  });

  it('show the places that are likely for their length first, and none that is worth less than its tokens', () => {
    const excerpts = formsOf({ places: PLACES }).filter(({ item }) => item.form === 'excerpt');
    expect(excerpts.map(({ item }) => item.symbols)).toEqual([['short', 'long'], ['short']]);
  });

  it('are worth less, the less the file is needed', () => {
    const best = (some: Some) => Math.max(...formsOf(some).map(({ value }) => value));
    expect(best({ places: PLACES })).toBeGreaterThan(best({ places: PLACES, need: 0.1 }));
    expect(best({ need: 0.001 })).toBeLessThanOrEqual(0);
  });

  it('are a mention for a generated file, unless the task names it', () => {
    expect(kinds(formsOf({ generated: true, places: PLACES }))).toEqual(new Set(['mention']));
    expect(kinds(formsOf({ generated: true, places: PLACES, isNamed: true }))).toContain('excerpt');
  });
});
