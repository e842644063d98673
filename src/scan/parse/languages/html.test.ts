import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { html } from './html.ts';

const SNIPPET = `<!DOCTYPE html>
<html><head>
<link rel="stylesheet" href="css/a.css">
<script src="js/x.js" defer></script>
<title>T</title>
</head>
<body>
<div id="main" class="x">
<h1>Hello <b>World</b></h1>
<section id=s1><h2 id="h">Sub</h2></section>
<img id="pic" src="a.png"/>
</div>
<script>let x = 1;</script>
</body></html>
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(html, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('HTML', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(html, SNIPPET))).toEqual([
      'element main',
      'heading main.Hello World',
      'element main.s1',
      'heading main.s1.Sub',
      'element main.pic',
    ]);
  });

  it.each([
    ['main', '<div id="main" class="x">'],
    ['Hello World', '<h1>Hello <b>World</b></h1>'],
    ['s1', '<section id=s1>'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('reads imports of every shape', async () => {
    const { imports } = await parseWith(html, SNIPPET);
    expect(imports.map(({ endLine, ...reference }) => reference)).toEqual([
      { kind: 'include', specifier: 'css/a.css', names: [], line: 3 },
      { kind: 'include', specifier: 'js/x.js', names: [], line: 4 },
    ]);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        html,
        `<body>
<main id="app">
  <h1>Reader</h1>
  <p>
    text
  </p>
</main>
<script src="app.js"></script>
</body>
`,
      ),
    ).toMatchInlineSnapshot(`
      "⋮ 1
      <main id="app">
        <h1>Reader</h1>
        ⋮ 4-7
      <script src="app.js"></script>
      ⋮ 9"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(`</section>`, `</sect`);
    const parsed = await parseWith(html, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(
      expect.arrayContaining(['main', 'Hello World', 'pic']),
    );
  });

  it('survives any content', () => expectSurvivesMutations(html, SNIPPET), 20_000);
});
