import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJsonDocument } from './parse-json-document.ts';

const failure = (text: string): string => {
  try {
    return JSON.stringify(parseJsonDocument(text, 'f.json').value);
  } catch (error) {
    expect(error).toMatchObject({ code: 'bad-config-file' });
    return (error as Error).message;
  }
};

describe('parseJsonDocument', () => {
  it('reads what JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJsonDocument(text, 'f.json').value).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses, and only that', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '1',
      '-',
      '01',
      '.5',
      'true',
      ' ',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        let value: unknown;
        let isJson = true;
        try {
          value = JSON.parse(text);
        } catch {
          isJson = false;
        }
        if (isJson && !failure(text).includes('set twice')) {
          expect(parseJsonDocument(text, 'f.json').value).toEqual(value);
        } else if (!isJson) expect(failure(text)).toMatch(/^f\.json:\d+:\d+: /);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{\n  "a": 1,\n}', 'f.json:3:1: a name in double quotes should be here'],
    ['{\n  "a" 1}', 'f.json:2:7: ":" should be here'],
    ['{"a": 1 // no\n}', 'f.json:1:9: "," or "}" should be here'],
    ['// no\n{}', 'f.json:1:1: comments are not allowed'],
    ['{"a": 1, "a": 2}', 'f.json:1:10: "a" is set twice'],
    ['{"a": "x\n"}', 'f.json:1:7: this text in quotes is not closed'],
    ['{"a": "\\x"}', 'f.json:1:7: this text in quotes is not closed or has a bad escape'],
    ['{} {}', 'f.json:1:4: nothing may follow'],
    ['', 'f.json:1:1: the file ends'],
    ['['.repeat(100_000), 'f.json:1:65: more than 64 levels of nesting'],
    [' '.repeat(300_000), 'f.json:1:1: the file has 300000 bytes'],
  ])('says where and what: %#', (text, message) => expect(failure(text)).toContain(message));

  it('knows the place of every value', () => {
    const { positions } = parseJsonDocument('{\n  "a/b": [1,\n    2]\n}', 'f.json');
    expect(positions.get('/a~1b/1')).toEqual({ line: 3, column: 5 });
  });
});
