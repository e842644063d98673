import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asStrings, readJsonRecord } from './package-manifest.ts';

test.each([
  ['{"a": 1, /* , */ }', { a: 1 }],
  ['\uFEFF{ // {\n"a": [1, 2, // x\n ], }', { a: [1, 2] }],
  ['{"a": "// no comment, /* nor this */ ,]"}', { a: '// no comment, /* nor this */ ,]' }],
  ['{"a": "\\"//", "b": "\\\\"}', { a: '"//', b: '\\' }],
  ['{"a": 1', null],
  ['{"a": 1} /* open', { a: 1 }],
  ['{"a": "open', null],
  ['[1]', null],
])('%j', (text, expected) => {
  expect(readJsonRecord(text)).toEqual(expected);
});

test('plain JSON is read as it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value, null, 1);
      expect(readJsonRecord(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('text made to be slow is read in linear time', () => {
  const start = performance.now();
  for (const part of ['/*', '\\"', ',]', '"', ',']) readJsonRecord(part.repeat(200_000));
  expect(performance.now() - start).toBeLessThan(2_000);
});

test('a list or a single string', () => {
  expect(asStrings('a')).toEqual(['a']);
  expect(asStrings(['a', 1, 'b'])).toEqual(['a', 'b']);
  expect(asStrings({ a: 1 })).toEqual([]);
});
