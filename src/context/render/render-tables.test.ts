import { describe, expect, it } from 'vitest';
import { fenced, inlineCode } from '../../redact/mark-hidden.ts';
import { hiddenCharacterDiagnostics } from '../../redact/outgoing-text.ts';
import { resolveTokenCount } from '../compose/account.ts';
import { itemOf, packOf } from './pack.test-kit.ts';
import { renderReceipts, renderTree } from './render-tables.ts';
import { elisionLine, groupedNumber, layOutSegments } from './shown-text.ts';

describe('renderTree', () => {
  const entries = [
    { path: 'src/fit/b.ts', tokens: 1_200 },
    { path: 'src/fit/a.ts', tokens: 34 },
    { path: 'README.md', tokens: 900 },
    { path: 'docs/guides/deep/x\n.md', tokens: 1 },
  ];

  it('sums tokens by folder and joins folders that hold only one', () => {
    expect(renderTree(entries)).toBe(
      [
        '2,135  .',
        '  900    README.md',
        '    1    docs/guides/deep/',
        '    1      x⟨U+000A⟩.md',
        '1,234    src/fit/',
        '   34      a.ts',
        '1,200      b.ts',
        '',
      ].join('\n'),
    );
  });

  it('lists names alone when nothing is counted', () => {
    expect(renderTree(entries.map(({ path }) => ({ path, tokens: null })))).toBe(
      ['README.md', 'docs/guides/deep/', '  x⟨U+000A⟩.md', 'src/fit/', '  a.ts', '  b.ts', ''].join('\n'),
    );
    expect(renderTree([])).toBe('');
  });

  it('handles very deep paths', () => {
    const path = `${'a/'.repeat(3_000)}b/c`;
    expect(
      renderTree([
        { path, tokens: 1 },
        { path: 'x', tokens: 2 },
      ]).split('\n'),
    ).toHaveLength(5);
  });
});

describe('renderReceipts', () => {
  it('lists the files that are in, then those left out with the tokens that they would take', () => {
    const pack = packOf({
      tokenCount: 1_300,
      receipts: [
        { part: 'file', path: 'src/a.ts', form: 'full', tokens: 1_200, combinedScore: 0.934, why: 'target' },
        { part: 'environment', path: '', form: 'full', tokens: 40, combinedScore: null, why: 'how to test' },
        {
          part: 'file',
          path: 'src/long/b.ts',
          form: null,
          tokens: 5_000,
          combinedScore: 0.5,
          why: 'no room',
        },
      ],
      omitted: [
        {
          path: 'src/long/b.ts',
          reason: 'no room',
          combinedScore: 0.5,
          cost: { form: 'excerpt', tokens: 5_000 },
        },
        { path: 'src/c.ts', reason: 'below the minimum', combinedScore: 0.1, cost: null },
      ],
    });
    expect(renderReceipts(pack)).toBe(
      [
        'path           form  tokens  score  why',
        'src/a.ts       full   1,200   0.93  target',
        '(environment)  full      40      -  how to test',
        '1,300 of 30,000 tokens',
        '',
        'left out       form     would cost  score  why',
        'src/long/b.ts  excerpt       5,000   0.50  no room',
        'src/c.ts       -                 -   0.10  below the minimum',
        '',
      ].join('\n'),
    );
  });
});

describe('layOutSegments', () => {
  it('keeps track of where each line comes from', () => {
    expect(
      layOutSegments([
        { kind: 'elided', startLine: 1, endLine: 1, names: [] },
        { kind: 'lines', startLine: 2, text: 'a\r\n\r\n' },
        { kind: 'elided', startLine: 4, endLine: 9, names: ['f', 'g h'], indent: '  ' },
        { kind: 'lines', startLine: 10, text: '' },
      ]),
    ).toEqual({
      content: '... 1 line ...\na\r\n\n  ... 6 lines: f, "g h" ...\n',
      lineRuns: [
        { startLine: null, count: 1 },
        { startLine: 2, count: 2 },
        { startLine: null, count: 1 },
        { startLine: 10, count: 1 },
      ],
    });
  });

  it('names some and counts the rest', () => {
    const names = Array.from({ length: 11 }, (_, at) => `f${at}`);
    expect(elisionLine(50, names)).toBe('... 50 lines: f0, f1, f2, f3, f4, f5, f6, f7, 3 more ...');
  });
});

describe('fenced', () => {
  it('handles more runs of backticks than a call can have arguments', () => {
    expect(fenced('a`'.repeat(300_000), 'md').startsWith('```md\n')).toBe(true);
    expect(fenced('x\n``````\ny', 'md').startsWith('```````md\n')).toBe(true);
  });

  it('quotes inside a line', () => {
    expect(inlineCode('npm test')).toBe('`npm test`');
    expect(inlineCode('echo `date`')).toBe('`` echo `date` ``');
  });
});

describe('resolveTokenCount', () => {
  it.each([994, 995, 996, 997, 998, 999, 9_990])('finds the count that counts itself, near %i', (size) => {
    const pack = packOf({ task: '' });
    const options = { format: 'json', lineNumbers: false } as const;
    const bare = resolveTokenCount(pack, options, (text) => text.length).text.length;
    const padded = packOf({ task: 'x'.repeat(Math.max(0, size - bare)) });
    const settled = resolveTokenCount(padded, options, (text) => text.length);
    expect(settled.pack.tokenCount).toBe(settled.text.length);
    expect(settled.text).toContain(`"tokenCount": ${settled.text.length}`);
  });
});

describe('hiddenCharacterDiagnostics', () => {
  it('counts by file', () => {
    const items = [itemOf({ path: 'a', content: 'x\u202ey\u200b' }), itemOf({ path: 'b' })];
    const conventions = [{ path: 'AGENTS.md', text: '\u{e0041}', cut: false }];
    expect(hiddenCharacterDiagnostics(packOf({ items, conventions }))).toEqual([
      {
        code: 'hidden-characters-marked',
        severity: 'warning',
        message: '2 invisible or control characters are shown as marks like ⟨U+202E⟩',
        path: 'a',
      },
      {
        code: 'hidden-characters-marked',
        severity: 'warning',
        message: '1 invisible or control character is shown as marks like ⟨U+202E⟩',
        path: 'AGENTS.md',
      },
    ]);
  });
});

describe('groupedNumber', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [1_234_567, '1,234,567'],
  ])('%i', (value, text) => {
    expect(groupedNumber(value)).toBe(text);
  });
});
