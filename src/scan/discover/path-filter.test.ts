import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { fastestOf } from '../../../test/support/fastest-of.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from './path-filter.ts';

const chosen = (pattern: string, paths: readonly string[]): string[] =>
  paths.filter(createPathFilter([pattern], []).accepts);

describe('what a pattern means', () => {
  const paths = [
    'a.ts',
    'src/a.ts',
    'src/b/a.ts',
    'src/b/c.js',
    'lib/src/a.ts',
    'src/.hidden/x.ts',
    'srcs/a.ts',
  ];
  test.each([
    ['a.ts', ['a.ts', 'src/a.ts', 'src/b/a.ts', 'lib/src/a.ts', 'srcs/a.ts']],
    ['/a.ts', ['a.ts']],
    ['./a.ts', ['a.ts']],
    ['src/', ['src/a.ts', 'src/b/a.ts', 'src/b/c.js', 'src/.hidden/x.ts']],
    ['src/**', ['src/a.ts', 'src/b/a.ts', 'src/b/c.js', 'src/.hidden/x.ts']],
    ['src', ['src/a.ts', 'src/b/a.ts', 'src/b/c.js', 'lib/src/a.ts', 'src/.hidden/x.ts']],
    ['src/b', ['src/b/a.ts', 'src/b/c.js']],
    ['src/*', ['src/a.ts']],
    ['src/*/a.ts', ['src/b/a.ts']],
    ['**/b/*.js', ['src/b/c.js']],
    ['**', paths],
    ['*.{js,jsx}', ['src/b/c.js']],
    ['src/?.ts', ['src/a.ts']],
    ['src/[!b]*/*', ['src/.hidden/x.ts']],
    ['{lib,src/b}/', ['src/b/a.ts', 'src/b/c.js', 'lib/src/a.ts']],
  ])('%s', (pattern, expected) => {
    expect(chosen(pattern, paths)).toEqual(expected);
  });

  test('a path with brackets can be given as it is', () => {
    expect(
      chosen('app/[slug]/(group)/page.ts', ['app/[slug]/(group)/page.ts', 'app/s/(group)/page.ts']),
    ).toEqual(['app/[slug]/(group)/page.ts', 'app/s/(group)/page.ts']);
    expect(chosen('\\[slug\\].ts', ['[slug].ts', 's.ts'])).toEqual(['[slug].ts']);
  });

  test('either spelling of an accented letter finds both', () => {
    expect(chosen('caf\u00e9*', ['caf\u00e9.ts', 'cafe\u0301.ts', 'cafe.ts'])).toHaveLength(2);
    expect(chosen('?.ts', ['\u{1f600}.ts', '\u00e9.ts', 'ab.ts'])).toHaveLength(2);
  });

  test('exclude wins over include, and whole folders are pruned', () => {
    const filter = createPathFilter(['src/'], ['src/gen/**', '*.snap']);
    expect(['src/a.ts', 'src/gen/a.ts', 'src/a.snap', 'b.ts'].filter(filter.accepts)).toEqual(['src/a.ts']);
    expect(['src', 'src/gen', 'src/gen/deep', 'gen'].filter(filter.prunes)).toEqual([
      'src/gen',
      'src/gen/deep',
    ]);
  });
});

describe('refused patterns', () => {
  test.each([
    '',
    '!a',
    '@(a|b)',
    'x/+(a)',
    '*(a)',
    '?(a)',
    '../a',
    'a/..',
    'a[b',
    'a\\',
    'a\0b',
    '{a,b}'.repeat(20),
  ])('%j', (pattern) => {
    const attempt = () => createPathFilter([], [pattern]);
    expect(attempt).toThrow(LoadoutError);
    expect(attempt).toThrow(`--exclude "${pattern.slice(0, 200)}"`);
  });
});

test('the same answer as picomatch for patterns with a slash', () => {
  const part = fc.constantFrom('a', 'b', 'ab', '*', '**', '?', 'a*', '*b', '[ab]', '{a,b}');
  const name = fc.constantFrom('a', 'b', 'ab', 'ba', 'c');
  const pattern = fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join('/'));
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  // A plain path stands for a folder, too, and to picomatch `a/**` is also the file `a`.
  const isPlain = (text: string): boolean => !/[*?[]/.test(text) || text.endsWith('**');
  fc.assert(
    fc.property(pattern, path, (glob, file) => {
      fc.pre(!isPlain(glob));
      expect(createPathFilter([glob], []).accepts(file)).toBe(picomatch(glob, { dot: true })(file));
    }),
    { numRuns: 2_000 },
  );
});

test('no pattern takes long', () => {
  const evil = fc.array(fc.constantFrom('*', '**', 'a', '?', '[a-z]', '*a', '/', '**/', 'a*'), {
    maxLength: 60,
  });
  const paths = ['a'.repeat(250), `${'a/'.repeat(120)}b`, `${'a'.repeat(200)}/${'a'.repeat(200)}`];
  fc.assert(
    fc.property(evil, (parts) => {
      const pattern = `a${parts.join('')}b`;
      const filter = createPathFilter([pattern], []);
      const look = () => {
        for (const path of paths) filter.accepts(path);
      };
      expect(fastestOf(look, 2)).toBeLessThan(200);
    }),
    { numRuns: 500 },
  );
});
