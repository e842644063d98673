import { expect, test } from 'vitest';
import { fastestOf } from '../../../test/support/fastest-of.ts';
import { type IgnoreScope, isIgnored, parseIgnoreRules } from './rule-files.ts';

const scope = (text: string, base = '', outer: IgnoreScope | null = null): IgnoreScope => ({
  rules: parseIgnoreRules(text),
  base,
  outer,
});

test('byte order mark, CRLF, comments, NUL and blank lines', () => {
  const rules = scope('\xef\xbb\xbfa\r\n# b\r\n\r\n   \n\\#c\nd\0e\n/\n!\n');
  expect(['a', '# b', 'b', '#c', 'd', 'e', ''].filter((path) => isIgnored(rules, path, false))).toEqual([
    'a',
    '#c',
    'd',
  ]);
});

test('the nearest file decides, and the last line in it', () => {
  const outer = scope('*.log\n');
  const inner = scope('!*.log\nkeep.log\n!keep.log\n/x.log\n', 'sub/', outer);
  expect(isIgnored(outer, 'a.log', false)).toBe(true);
  expect(isIgnored(inner, 'sub/a.log', false)).toBe(false);
  expect(isIgnored(inner, 'sub/keep.log', false)).toBe(false);
  expect(isIgnored(inner, 'sub/x.log', false)).toBe(true);
  expect(isIgnored(inner, 'sub/deep/x.log', false)).toBe(false);
});

test('a rule for folders leaves files alone', () => {
  expect(isIgnored(scope('build/'), 'build', false)).toBe(false);
  expect(isIgnored(scope('build/'), 'a/build', true)).toBe(true);
});

test.each(['[[:constructor:]]', '[[:__proto__:]]', '[', '[[:alpha:', 'a\\', '[a-', '[!]', '//a'])(
  'the malformed %s matches nothing and causes no error',
  (line) => {
    expect(isIgnored(scope(line), 'a', false)).toBe(false);
  },
);

test('a hostile line is matched in linear steps', () => {
  const rules = scope(`${'*a'.repeat(60)}*b\n${'**/a/'.repeat(60)}b\n`);
  const path = `${'a/'.repeat(100)}${'a'.repeat(250)}`;
  expect(isIgnored(rules, path, false)).toBe(false);
  expect(fastestOf(() => isIgnored(rules, path, false))).toBeLessThan(50);
});
