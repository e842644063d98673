import { describe, expect, it } from 'vitest';
import { LoadoutError } from './loadout-error.ts';
import { parseJson, readJson } from './read-json.ts';

describe('JSON', () => {
  it('that is valid comes back as it is, odd names as plain fields', () => {
    expect(readJson('{"a":[1,null]}')).toEqual({ kind: 'json', value: { a: [1, null] } });
    const value = parseJson('{"__proto__":{"x":1}}', 'a.json') as object;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  it.each(['', '{', '{"a":1,}', 'undefined', `${'['.repeat(1_000_000)}`])(
    'that is not valid names the file and the reason',
    (text) => {
      expect(readJson(text).kind).toBe('invalid');
      expect(() => parseJson(text, 'a.json')).toThrow(LoadoutError);
      expect(() => parseJson(text, 'a.json')).toThrow(/^a\.json is not JSON: ./);
    },
  );

  it('that is too long is not parsed', () => {
    expect(readJson('[1,2,3]', 6)).toEqual({
      kind: 'invalid',
      why: 'it has 7 characters; at most 6 are read',
    });
  });
});
