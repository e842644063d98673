import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopesOf, wordsOf } from './scopes.ts';

const namesIn = (text: string): string[] => scopesOf(text).map(({ name }) => name);

describe('the places that a first line begins with', () => {
  it.each([
    ['fix(compress): weak tags', ['compress']],
    ['feat(html-reporter)!: search\n\nother: text', ['html-reporter']],
    ['fix(api, cli): exit code', ['api', 'cli']],
    ['net/http: close idle connections', ['net/http']],
    ['str expand: two dots', ['str expand']],
    ['[docs-site] new search box', ['docs-site']],
    ['[backport 3.14] web: close', ['web']],
    ['`no-shadow`: class names', ['no-shadow']],
  ])('are found in %j', (line, names) => {
    expect(namesIn(line)).toEqual(names);
  });

  it.each([
    'fix: close the file',
    'docs: say more',
    'Close the file when the reader fails',
    'This is a long sentence about nothing: it goes on',
    'See https://example.com/x: broken',
    '',
    ':',
  ])('are none in %j', (line) => {
    expect(namesIn(line)).toEqual([]);
  });

  it('are the same whatever stands between their words', () => {
    const parts = ['html-reporter', 'html_reporter', 'htmlReporter', 'HTMLReporter'].map(
      (scope) => scopesOf(`fix(${scope}): x`)[0]!.parts,
    );
    expect(new Set(parts.map((of) => of.join('/')))).toEqual(new Set(['html/reporter']));
  });

  it('are lower-case words, found at once in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
        for (const { parts } of scopesOf(text)) expect(parts.join('')).toBe(parts.join('').toLowerCase());
      }),
    );
    const started = performance.now();
    scopesOf(`${'a '.repeat(50_000)}: x`);
    scopesOf(`${'a-'.repeat(50_000)}: x`);
    scopesOf(`${'('.repeat(50_000)}: x`);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

it('words of a path', () => {
  expect(wordsOf('packages/html-reporter/testCase_view.tsx')).toEqual(
    'packages html reporter test case view tsx'.split(' '),
  );
});
