import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SnapshotFile } from '../../../model/snapshot.ts';
import { historyOf } from './history.test-kit.ts';
import { scopesOf, scopesOfBullets, scorePastScopes, scorePlaces, wordsOf } from './scope-signals.ts';

const PATHS = [
  'crates/nu-command/src/strings/str_/expand.rs',
  'crates/nu-command/src/strings/str_/trim.rs',
  'lib/other.ts',
  'packages/cli-daemon/commands.ts',
  'packages/cli/commands.ts',
  'packages/cli/deep/inside.ts',
  'tools/cli.ts',
];
const files = PATHS.map((path) => ({ path })) as unknown as SnapshotFile[];
const placesFor = (title: string) =>
  Object.fromEntries(
    [...scorePlaces(files, scopesOf(title))]
      .map((score, file) => [PATHS[file]!, score] as const)
      .filter(([, score]) => score > 0),
  );

describe('files at the places that a task begins with', () => {
  it('are those named so, then those in a folder named so, then those named so in part', () => {
    const places = placesFor('fix(cli): exit code');
    expect(Object.keys(places)).toHaveLength(4);
    expect(places['tools/cli.ts']).toBeGreaterThan(places['packages/cli/commands.ts']!);
    expect(places['packages/cli/commands.ts']).toBe(places['packages/cli/deep/inside.ts']);
    expect(places['packages/cli/commands.ts']).toBeGreaterThan(places['packages/cli-daemon/commands.ts']!);
  });

  it('may have the words of the place in several segments', () => {
    expect(Object.keys(placesFor('str expand: two dots'))).toEqual([PATHS[0]]);
  });

  it('count less the more of them there are', () => {
    const few = placesFor('str expand: x')[PATHS[0]!]!;
    const many = placesFor('str: x')[PATHS[0]!]!;
    expect(many).toBeLessThan(few);
    expect(few).toBeLessThanOrEqual(1);
  });

  it('are none without a place, or at one that does not exist', () => {
    expect(placesFor('exit code')).toEqual({});
    expect(placesFor('fix(nowhere): exit code')).toEqual({});
  });
});

describe('files that commits about the same place changed', () => {
  const history = historyOf([
    { subject: 'fix(cli): one', files: ['packages/cli/commands.ts'] },
    { subject: 'feat(CLI): two', files: ['packages/cli/commands.ts', 'tools/cli.ts'] },
    { subject: 'fix(other): cli', files: ['lib/other.ts'] },
    { subject: 'cli without a colon', files: ['lib/other.ts'] },
    { subject: 'cli: gone', files: ['gone.ts'] },
  ]);
  const past = (title: string) =>
    scorePastScopes(history, scopesOf(title), PATHS.length, (path) => PATHS.indexOf(path));

  it('count by how often, and whatever the kind of work was', () => {
    const scores = past('refactor(cli): x');
    expect([...scores.keys()].filter((file) => scores[file]! > 0)).toEqual([4, 6]);
    expect(scores[4]).toBeGreaterThan(scores[6]!);
  });

  it('are none for a task that names no place', () => {
    expect(Math.max(...past('the cli exits'))).toBe(0);
  });
});

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

  it('are the same whatever is between their words', () => {
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

describe('the places that the points of a list begin with', () => {
  const placesOf = (text: string) => scopesOfBullets(text).map(({ name }) => name);

  it('are one word in front of a sentence', () => {
    const text =
      'Tidy up\n\n- validation: keep the first error\n* net/http: close the body early\n+ `cli`: print the seed once';
    expect(placesOf(text)).toEqual(['validation', 'net/http', 'cli']);
  });

  it.each([
    '- OS: Linux',
    '- version: 3.8',
    '- fix: close the file',
    '- note that: it is late',
    'validation: keep the first error',
  ])('are not in %j', (line) => expect(placesOf(`Title\n\n${line}`)).toEqual([]));
});
