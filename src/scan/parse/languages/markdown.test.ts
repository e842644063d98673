import { describe, expect, it } from 'vitest';
import { outline } from '../../../../test/support/parse-snippet.ts';
import { expectSurvivesMutations, parseWith, viewWith } from '../../../../test/support/parse-with.ts';
import { markdown } from './markdown.ts';

const SNIPPET = `---
t: 1
---
intro

# One #
text

## Two \`code\`

body

\`\`\`py
# not
\`\`\`

Set Ext
=======

more

Sub
---

### Deep

x
`;

async function signatureOf(name: string): Promise<string | undefined> {
  const { symbols } = await parseWith(markdown, SNIPPET);
  return symbols.find((symbol) => symbol.name === name)?.signature;
}

describe('Markdown', () => {
  it('lists every definition in order, with its kind and container', async () => {
    expect(outline(await parseWith(markdown, SNIPPET))).toEqual([
      'heading One',
      'heading One.Two code',
      'heading Set Ext',
      'heading Set Ext.Sub',
      'heading Set Ext.Sub.Deep',
    ]);
  });

  it.each([
    ['One', '# One #'],
    ['Set Ext', 'Set Ext\n======='],
    ['Deep', '### Deep'],
  ])('keeps the whole header of %s', async (name, signature) => {
    expect(await signatureOf(name)).toBe(signature);
  });

  it('shows a file without its bodies, equal members included', async () => {
    expect(
      await viewWith(
        markdown,
        `# Reader

Intro.

## Usage

\`\`\`sh
# no heading
\`\`\`

## Notes

End.
`,
      ),
    ).toMatchInlineSnapshot(`
      "# Reader
      ⋮ 3-4
      ## Usage ⋮ 6-9
      ## Notes ⋮ 12-13"
    `);
  });

  it('keeps most definitions of broken code', async () => {
    const broken = SNIPPET.replace(
      `\`\`\`

Set`,
      `

Set`,
    );
    const parsed = await parseWith(markdown, broken);
    expect(parsed.symbols.map((symbol) => symbol.name)).toEqual(expect.arrayContaining(['One', 'Two code']));
  });

  it('ends a section at the next heading of its level, whatever its style', async () => {
    const text = '# A\n\nB\n-\n\n- item\n\n## C\n\nD\n=\n\nx\n';
    const { symbols } = await parseWith(markdown, text);
    expect(symbols.map(({ name, startLine, endLine }) => [name, startLine, endLine])).toEqual([
      ['A', 1, 8],
      ['B', 3, 6],
      ['C', 8, 8],
      ['D', 10, 13],
    ]);
  });

  it('survives any content', () => expectSurvivesMutations(markdown, SNIPPET), 20_000);
});
