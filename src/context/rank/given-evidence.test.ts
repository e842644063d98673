import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyHistory } from '../../model/commit-history.ts';
import type { StringList } from '../../model/index-view.ts';
import { analyzeTask } from '../analyze/analyze-task.ts';
import { gatherEvidence } from './evidence.ts';
import { meaningEvidence, TEXT_LOOKS, textSearches, withoutText } from './given-evidence.ts';
import { indexOf } from './index.test-kit.ts';
import { allForms, variantsOf, wordForms } from './query-terms.ts';
import { createRankingContext } from './ranking-context.ts';
import { searchWords } from './search-words.ts';

const TEXTS = {
  'a.ts': '/** Parses tokens. */\nexport function parseToken(text: string) {\n  return text;\n}\n',
  'b.ts': 'export const parser = "parsing failed";\n',
  'c.ts': 'export const other = 1;\n',
};

describe('the searches of a task', () => {
  it.each(['Parsing of tokens failed', 'parser', 'Title\n\nthe parseToken text'])(
    'find in any store what the index finds: %s',
    async (text) => {
      const index = await indexOf(TEXTS, 2);
      const task = analyzeTask(text);
      const searches = textSearches(task);
      const given = Object.fromEntries(TEXT_LOOKS.map((look) => [look, searchWords(index, searches[look])]));
      const own = gatherEvidence(createRankingContext(index, task, emptyHistory())).columns;
      const other = gatherEvidence(createRankingContext(index, task, emptyHistory(), given)).columns;
      for (const look of TEXT_LOOKS) expect([...other[look]!]).toEqual([...own[look]!]);
      expect(own.words!.some((value) => value > 0)).toBe(true);
    },
  );

  it('name every form that the index would take, with the same weight', () => {
    const endings = fc.constantFrom('', 's', 'ing', 'ed', 'er', 'ation', 'able', 'x', 'ors');
    const word = fc
      .tuple(fc.constantFrom('pars', 'load', 'tok', 'creat', 'größ'), endings)
      .map((two) => two.join(''));
    fc.assert(
      fc.property(word, fc.uniqueArray(word), (asked, words) => {
        const parts = listOf([...words].sort());
        const forms = wordForms(asked);
        const found = variantsOf(parts, forms).map(({ part, weight }) => [parts.at(part), weight]);
        const named = allForms(forms).filter((form) => parts.find(form.word) >= 0);
        expect(named.map((form) => [form.word, form.weight])).toEqual(found);
      }),
    );
  });
});

function listOf(values: readonly string[]): StringList {
  const lowerBound = (value: string) => values.filter((one) => one < value).length;
  return {
    length: values.length,
    at: (index) => values[index]!,
    find: (value) => values.indexOf(value),
    lowerBound,
  };
}

describe('without text', () => {
  it('nothing of the text counts, and the structure does', async () => {
    const index = await indexOf(TEXTS);
    const task = analyzeTask('parseToken');
    const context = createRankingContext(index, task, emptyHistory(), withoutText(3));
    const { columns } = gatherEvidence(context);
    for (const look of [...TEXT_LOOKS, 'passage', 'secondPassage'] as const)
      expect([...columns[look]!]).toEqual([0, 0, 0]);
    expect(columns.mentionedNames![0]).toBe(1);
  });
});

describe('nearness', () => {
  it('is 1 for the nearest file, 0 for files that are no nearer than most, and keeps the order', () => {
    const cosines = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 50 });
    fc.assert(
      fc.property(cosines, (values) => {
        const evidence = meaningEvidence(Float64Array.from(values));
        for (const [at, value] of evidence.entries()) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
          for (const [other, lower] of evidence.entries())
            if (values[other]! < values[at]!) expect(lower).toBeLessThanOrEqual(value);
        }
      }),
    );
    expect([...meaningEvidence(Float64Array.from([0.5, 0.5, 0.5, 0.5]))]).toEqual([0, 0, 0, 0]);
    expect([...meaningEvidence(Float64Array.from([0.5, 0.52, 0.48, 0.5, 0.9]))]).toEqual([0, 0, 0, 0, 1]);
  });
});
