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
    expect(excerptOf(SOURCE, [{ startLine: 16, endLine: 18 }]).content).toBe(
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

  it('names what it leaves out, and shows a line rather than saying that one is missing', () => {
    const { content } = excerptOf(SOURCE, [
      { startLine: 6, endLine: 6 },
      { startLine: 8, endLine: 8 },
    ]);
    expect(content).toContain('const setting = 1;\nconst other = 2;\nconst third = 3;');
    expect(content).toContain('... 19 lines: Box ...');
  });

  it('shows true lines under true numbers, and accounts for every line of the file', () => {
    const lines = SOURCE.lines.length;
    const span = fc.tuple(fc.integer({ min: 1, max: lines }), fc.integer({ min: 0, max: 8 }));
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 5 }), (spans) => {
        const wanted = spans.map(([startLine, more]) => ({ startLine, endLine: startLine + more }));
        const { content, lineRuns } = excerptOf(SOURCE, wanted);
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
  });
});
