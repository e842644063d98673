import { expect, test } from 'vitest';
import { expandBraces } from './path-filter.ts';

test.each([
  ['a', ['a']],
  ['a{b,c}d', ['abd', 'acd']],
  ['{a,b}{1,2}', ['a1', 'a2', 'b1', 'b2']],
  ['x{a,{b,c}}', ['xa', 'xb', 'xc']],
  ['{,src/}a', ['a', 'src/a']],
  ['a{b}c', ['a{b}c']],
  ['a{b', ['a{b']],
  ['{a,{b,c}', ['{a,b', '{a,c']],
  ['\\{a,b}', ['\\{a,b}']],
])('%s', (pattern, expected) => {
  expect(expandBraces(pattern)).toEqual(expected);
});

test('alternatives that multiply without end are refused', () => {
  expect(expandBraces('{a,b}'.repeat(40))).toBeNull();
  expect(expandBraces(`{${'a,'.repeat(2_000)}}`)).toBeNull();
});
