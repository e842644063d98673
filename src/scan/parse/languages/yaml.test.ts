import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { yaml } from './yaml.ts';

const SNIPPET = `a: 1
b:
  c: 2
  "d": 
    e: 1
  f: &x [1]
empty:
list:
  - k: 1
  - z
---
z: {q: 1}
text: |
  foo
  bar
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(yaml, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('YAML', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(yaml, SNIPPET))).toEqual([
      'key a',
      'key b',
      'key b.c',
      'key b.d',
      'key b.f',
      'key empty',
      'key list',
      'key z',
      'key text',
    ]);
  });

  it.each([
    ['a', 'a: 1'],
    ['b', 'b:'],
    ['list', 'list:'],
    ['text', 'text:'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        yaml,
        `name: ci
on:
  push:
    branches: [main]
jobs:
  build:
    runs-on: ubuntu
    steps:
      - run: make
  test: {}
`,
      ),
    ).toMatchInlineSnapshot(`
      "name: ci
      on:
        push: ⋮ 4
      jobs:
        build: ⋮ 7-9
        test: {}"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`  f: &x [1]`, `  f: &x [1`);
    const parsed = await parseWith(yaml, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(expect.arrayContaining(['a']));
  });

  it('survives any content', () => expectSurvivesMutations(yaml, SNIPPET), 20_000);
});
