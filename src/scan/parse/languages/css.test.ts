import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { css, readCssImport } from './css.ts';

const SNIPPET = `@charset "utf-8";
@import url("base.css") screen;
@import 'x.css';
:root { --main: #fff; --other: 1px; }
.a, .b > c:hover { color: red; }
@media (max-width: 10px) {
  .m { color: blue }
}
@keyframes spin { from { a: b } to { a: c } }
@font-face { font-family: X; }
@layer base { .l { a: b } }
@container side (min-width: 1px) { .q { a: b } }
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(css, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('CSS', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(css, SNIPPET))).toEqual([
      'rule :root',
      'variable :root.--main',
      'variable :root.--other',
      'rule .a, .b > c:hover',
      'rule @media (max-width: 10px)',
      'rule @media (max-width: 10px)..m',
      'rule @keyframes spin',
      'rule @font-face',
      'rule @layer base',
      'rule @layer base..l',
      'rule @container side (min-width: 1px)',
      'rule @container side (min-width: 1px)..q',
    ]);
  });

  it.each([
    ['@media (max-width: 10px)', '@media (max-width: 10px)'],
    ['--main', '--main: #fff;'],
    ['@keyframes spin', '@keyframes spin'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(css, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'include', specifier: 'base.css', names: [], line: 2 },
      { kind: 'include', specifier: 'x.css', names: [], line: 3 },
    ]);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        css,
        `@import 'base.css';

:root {
  --main: #fff;
}

.a,
.b {
  color: red;
}

@media print {
  .a {
    color: black;
  }
}
`,
      ),
    ).toMatchInlineSnapshot(`
      "@import 'base.css';
      :root {
        --main: #fff;
      }
      .a,
      .b { ⋮ 9-10 }
      @media print {
        .a { ⋮ 14-15 }
      }"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`.a, .b > c:hover { color: red; }`, `.a, .b > c:hover { color: red;`);
    const parsed = await parseWith(css, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining([':root', '@keyframes spin', '@font-face']),
    );
  });

  it.each([
    ['@import url(a.css);', ['a.css']],
    ['@import "a", "b";', ['a', 'b']],
    ['@use "lib" with ($a: "x");', ['lib']],
    ["@forward 'src/list' hide x;", ['src/list']],
    ['@import (reference) "foo";', ['foo']],
  ])('reads %s', (statement, expected) => {
    expect(readCssImport(statement).map((reference) => reference.specifier)).toEqual(expected);
  });

  it('keeps what it can of SCSS', async () => {
    const parsed = await parseWith(
      css,
      "@use 'mixins/base';\n@use './var';\n\n.card {\n  color: red;\n  &:hover { color: blue; }\n}\n@mixin theme($a: 1) {\n  color: $a;\n}\n",
    );
    expect(outline(parsed)).toEqual(['rule .card', 'rule .card.&:hover', 'function theme']);
    expect(parsed.imports.map((reference) => reference.specifier)).toEqual(['mixins/base', './var']);
  });

  it('survives any content', () => expectSurvivesMutations(css, SNIPPET), 20_000);
});
