import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { toml } from './toml.ts';

const SNIPPET = `# c
title = "x"
arr = [
 1,
]
[a]
b = 1
c.d = 2
[a.b]
x = { y = 1 }
[[bin]]
name = "z"
["q r".s]
m = 1
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(toml, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('TOML', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(toml, SNIPPET))).toEqual([
      'key title',
      'key arr',
      'table a',
      'key a.b',
      'key a.c.d',
      'table a.b',
      'key a.b.x',
      'table bin',
      'key bin.name',
      'table q r.s',
      'key q r.s.m',
    ]);
  });

  it.each([
    ['title', 'title = "x"'],
    ['arr', 'arr ='],
    ['a', '[a]'],
    ['bin', '[[bin]]'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        toml,
        `title = "app"

[package]
name = "app"
files = [
  "a",
]

[[bin]]
name = "run"
`,
      ),
    ).toMatchInlineSnapshot(`
      "title = "app"
      [package]
      name = "app"
      files = [ ⋮ 6-7 ]
      [[bin]]
      name = "run""
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`b = 1`, `b = `);
    const parsed = await parseWith(toml, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(expect.arrayContaining(['title', 'bin']));
  });

  it('survives any content', () => expectSurvivesMutations(toml, SNIPPET), 20_000);
});
