import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { excerptOf } from './excerpt.ts';
import type { ItemSource } from './source.ts';

const TEXT = `import { one } from './one.ts';
import { two } from './two.ts';
import { three } from './three.ts';

// first of all
const setting = 1;
const other = 2;
const third = 3;

export class Box {
  #inside = 0;
  #outside = 1;
  #beyond = 2;

  /** Opens it. */
  open() {
    return two(this.#inside);
  }

  close() {
    return one();
  }

  lock() {
    return three();
  }
}
`;

function symbol(name: string, startLine: number, endLine: number, container = -1): SymbolDefinition {
  const signature = TEXT.split('\n')[startLine - 1]!.trim();
  return { ...PLACES, name, kind: 'class', container, startLine, endLine, signature, doc: '' };
}
const PLACES = { start: 0, nameStart: 0, headerEnd: 0, bodyEnd: 0, end: 0 };

const SYMBOLS = [
  symbol('Box', 10, 27),
  symbol('open', 16, 18, 0),
  symbol('close', 20, 22, 0),
  symbol('lock', 24, 26, 0),
];
const SOURCE: ItemSource = {
  path: 'box.ts',
  text: TEXT,
  lines: TEXT.split('\n').slice(0, -1),
  language: null,
  symbols: SYMBOLS,
  imports: [1, 2, 3].map((line) => ({
    kind: 'import' as const,
    specifier: './x.ts',
    names: [],
    line,
    endLine: line,
  })),
  findings: [],
  isStale: false,
  file: null,
};

describe('an excerpt', () => {
  it('shows a definition with its comment, what encloses it and the imports it uses', () => {
    expect(excerptOf(SOURCE, [{ startLine: 16, endLine: 18 }], 'closed').content).toBe(
      `import { one } from './one.ts';
import { two } from './two.ts';
... 7 lines ...
export class Box {
  ... 4 lines ...
  /** Opens it. */
  open() {
    return two(this.#inside);
  }
  ... 9 lines: close, lock ...`,
    );
  });

  it('names the parts that it leaves out, and shows a line rather than saying that one is missing', () => {
    const wanted = [6, 8].map((line) => ({ startLine: line, endLine: line }));
    const { content } = excerptOf(SOURCE, wanted, 'open');
    expect(content).toContain('const setting = 1;\nconst other = 2;\nconst third = 3;');
    expect(content).toContain('... 19 lines: Box ...');
  });

  it('closes a definition that is cut before the rest of the file', () => {
    const lines = [
      ...SOURCE.lines,
      'function last() {',
      '  one();',
      '  two();',
      '}',
      'const a = 1;',
      'const b = 2;',
    ];
    const symbols = [...SYMBOLS, symbol('last', 28, 31)];
    const { content } = excerptOf({ ...SOURCE, lines, symbols }, [{ startLine: 10, endLine: 12 }], 'closed');
    expect(content).toContain('  #outside = 1;\n  ... 15 lines, the rest of Box ...\n... 6 lines: last ...');
  });

  it('shows comments whole or not at all', () => {
    const long = Array.from({ length: 20 }, (_, at) => `// line ${at}`);
    const lines = [
      'const a = 1;',
      'const b = 2;',
      ...long,
      'function f() {',
      '  // one',
      '  // two',
      '  go();',
      '}',
    ];
    const source = { ...SOURCE, text: lines.join('\n'), lines, symbols: [], imports: [] };
    const { content } = excerptOf(source, [{ startLine: 23, endLine: 24 }], 'closed');
    expect(content).toBe('... 22 lines ...\nfunction f() {\n  ... 4 lines ...');
  });

  it('leaves out long doc comments inside it, and keeps short ones', () => {
    const doc = (lines: number) => [
      '  /**',
      ...Array.from({ length: lines - 2 }, () => '   * More.'),
      '   */',
    ];
    const lines = ['class Box {', ...doc(8), '  open() {}', ...doc(4), '  close() {}', '}'];
    const text = lines.join('\n');
    const symbols = [
      { ...symbol('Box', 1, 16), signature: 'class Box' },
      { ...symbol('open', 10, 10, 0), signature: 'open()', docLines: { startLine: 2, endLine: 9 } },
      { ...symbol('close', 15, 15, 0), signature: 'close()', docLines: { startLine: 11, endLine: 14 } },
    ];
    const source = { ...SOURCE, text, lines, symbols, imports: [] };
    const { content, shownLines } = excerptOf(source, [{ startLine: 1, endLine: 16 }], 'closed');
    expect(content).toBe(
      ['class Box {', '  ... 8 lines ...', '  open() {}', ...doc(4), '  close() {}', '}'].join('\n'),
    );
    expect(shownLines).toBe(8);
  });

  it('includes only what the shown lines name', () => {
    const lines = [
      '#include <stdio.h>',
      '#include "box.h"',
      '',
      '',
      'int a;',
      'int b;',
      'void open_it(box *one) {',
      '}',
    ];
    const include = (line: number) => ({
      ...SOURCE.imports[0]!,
      kind: 'include' as const,
      line,
      endLine: line,
    });
    const source = {
      ...SOURCE,
      text: lines.join('\n'),
      lines,
      symbols: [],
      imports: [include(1), include(2)],
    };
    const { content } = excerptOf(source, [{ startLine: 7, endLine: 8 }], 'closed');
    expect(content).toContain('#include "box.h"\n');
    expect(excerptOf(source, [{ startLine: 5, endLine: 5 }], 'closed').content).not.toContain('box.h');
  });

  it.each(['open', 'closed'] as const)(
    'shows true lines and accounts for every line of the file: %s',
    (style) => {
      const lines = SOURCE.lines.length;
      const span = fc.tuple(fc.integer({ min: 1, max: lines }), fc.integer({ min: 0, max: 8 }));
      fc.assert(
        fc.property(fc.array(span, { minLength: 1, maxLength: 5 }), (spans) => {
          const wanted = spans.map(([startLine, more]) => ({ startLine, endLine: startLine + more }));
          const { content, lineRuns } = excerptOf(SOURCE, wanted, style);
          const shown = content.split('\n');
          let at = 0;
          let covered = 0;
          for (const { startLine, count } of lineRuns) {
            const run = shown.slice(at, at + count);
            at += count;
            if (startLine === null) covered += Number(/^\s*\.\.\. (\d+) line/.exec(run[0]!)![1]);
            else {
              expect(startLine).toBe(covered + 1);
              expect(run).toEqual(SOURCE.lines.slice(startLine - 1, startLine - 1 + count));
              covered += count;
            }
          }
          expect(at).toBe(shown.length);
          expect(covered).toBe(lines);
          for (const { startLine } of wanted) {
            const isShown = lineRuns.some(
              (run) =>
                run.startLine !== null && startLine >= run.startLine && startLine < run.startLine + run.count,
            );
            expect(isShown).toBe(true);
          }
        }),
      );
    },
  );
});
