import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { json } from './json.ts';

const SNIPPET = `// c
{
 "a": 1,
 "b": { "c": [1,2], "d": {"e": 1},
  "f": {
 "g": 1 } },
 "x": [ {"y": 1} ] }
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(json, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('JSON', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(json, SNIPPET))).toEqual([
      'key a',
      'key b',
      'key b.c',
      'key b.d',
      'key b.f',
      'key x',
    ]);
  });

  it.each([
    ['a', '"a": 1'],
    ['b', '"b":'],
    ['d', '"d": {"e": 1}'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        json,
        `{
  "name": "app",
  "scripts": {
    "build": "tsc",
    "test": {
      "unit": 1
    }
  },
  "files": [
    "dist"
  ]
}
`,
      ),
    ).toMatchInlineSnapshot(`
      "  ⋮ 1
        "name": "app",
        "scripts": {
          "build": "tsc",
          "test": { ⋮ 6-7 }
        },
        "files": [ ⋮ 10-11 ]
      ⋮ 12"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`"x": [ {"y": 1} ] }`, `"x": [ {"y": 1} `);
    const parsed = await parseWith(json, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(expect.arrayContaining(['a', 'b', 'c']));
  });

  it('leaves large files to their words', async () => {
    const large = `{\n${'"key": 1,\n'.repeat(25_000)}"last": 1}`;
    await expect(parseWith(json, large)).rejects.toThrow('too-complex');
  });

  it('survives any content', () => expectSurvivesMutations(json, SNIPPET), 20_000);
});
