import { describe, expect, it } from 'vitest';
import { emptyHistory } from '../../model/commit-history.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { analyzeTask } from '../analyze/analyze-task.ts';
import { innermostUnits, symbolUnits } from './definition-table.ts';
import { fileAt, indexOf, type Texts } from './index.test-kit.ts';
import { bestLines, rankSymbols } from './rank-symbols.ts';
import { createRankingContext } from './ranking-context.ts';

async function linesOf(texts: Texts, task: string, path: string) {
  const index = await indexOf(texts);
  const context = createRankingContext(index, analyzeTask(task), emptyHistory());
  const file = fileAt(index, path);
  const { symbols, spans } = rankSymbols(context, [file]).get(file)!;
  return { spans, symbols: symbols.map(({ name, startLine, endLine }) => `${startLine}-${endLine} ${name}`) };
}

const CLASS = `class Session:
    def open(self):
        """Open the connection."""
        return self.connection

    def close(self):
        """Release everything, wait for pending requests."""
        self.pending.wait()

    def rename(self, title):
        self.title = title
`;

describe('the definitions of a file', () => {
  it('come in the order of what the task says of them, without the rest', async () => {
    const { symbols, spans } = await linesOf({ 'a.py': CLASS }, 'pending requests are lost on close', 'a.py');
    expect(symbols[0]).toBe('6-8 Session.close');
    expect(symbols.join()).not.toContain('rename');
    expect(spans[0]).toEqual({ startLine: 6, endLine: 8 });
  });

  it('come first when the task mentions their very name', async () => {
    const { symbols } = await linesOf({ 'a.py': CLASS }, 'Call `rename` when requests are pending', 'a.py');
    expect(symbols[0]).toBe('10-11 Session.rename');
  });

  it('never overlap', async () => {
    const { spans } = await linesOf({ 'a.py': CLASS }, 'Session open close rename connection title', 'a.py');
    const sorted = [...spans].sort((a, b) => a.startLine - b.startLine);
    for (const [at, span] of sorted.slice(1).entries())
      expect(span.startLine).toBeGreaterThan(sorted[at]!.endLine);
  });

  it('that are too long are entered where the task points', async () => {
    const body = Array.from({ length: 300 }, (_, at) => (at === 200 ? '  retryBudget -= 1;' : '  step();'));
    const text = `export function run() {\n${body.join('\n')}\n}\n`;
    const { symbols, spans } = await linesOf({ 'a.ts': text }, 'retryBudget is wrong', 'a.ts');
    expect(symbols).toHaveLength(1);
    expect(symbols[0]).toMatch(/ run$/);
    expect(spans[0]!.startLine <= 202 && 202 <= spans[0]!.endLine).toBe(true);
    expect(spans[0]!.endLine - spans[0]!.startLine).toBeLessThan(60);
  });

  it('are judged alike at the beginning and at the end of a file', async () => {
    const first = 'export function one() {\n  gadget();\n}\n';
    const last = 'export function two() {\n  gadget();\n  widget();\n}\n';
    const noise = Array.from({ length: 30 }, (_, at) => `export function f${at}() {\n  gadget();\n}\n`);
    const text = [first, ...noise, last].join('');
    const { symbols } = await linesOf({ 'a.ts': text }, 'gadget and widget', 'a.ts');
    expect(symbols[0]).toMatch(/ two$/);
  });

  it('give way to the best lines where a file has none', async () => {
    const text = `${'nothing here\n'.repeat(100)}the gadget and the widget\n${'nothing here\n'.repeat(10)}`;
    const { symbols, spans } = await linesOf({ 'a.txt': text }, 'gadget widget', 'a.txt');
    expect(symbols).toEqual([]);
    expect(spans).toEqual([{ startLine: 98, endLine: 111 }]);
  });

  it('are none where nothing matches', async () => {
    expect(await linesOf({ 'a.py': CLASS }, 'unheard', 'a.py')).toEqual({ symbols: [], spans: [] });
  });
});

describe('the best lines', () => {
  it('are the stretch with the most to it', () => {
    const gains = new Map([
      [5, 2],
      [200, 1],
      [210, 1.5],
      [230, 1],
    ]);
    expect(bestLines(gains, 300)).toEqual([{ startLine: 197, endLine: 240 }]);
  });

  it('end with the file, and are none without a match', () => {
    expect(bestLines(new Map([[2, 1]]), 4)).toEqual([{ startLine: 1, endLine: 4 }]);
    expect(bestLines(new Map(), 4)).toEqual([]);
  });
});

function symbolsOf(...rows: readonly (readonly [startLine: number, endLine: number, container: number])[]) {
  return rows.map(([startLine, endLine, container]) => ({
    startLine,
    endLine,
    container,
  })) as unknown as SymbolDefinition[];
}

it('takes short definitions whole, one inside the other', () => {
  const units = symbolUnits(symbolsOf([1, 20, -1], [3, 6, 0], [8, 19, 0]));
  expect(units.map(({ parent, isWhole }) => [parent, isWhole])).toEqual([
    [-1, true],
    [0, true],
    [0, true],
  ]);
  expect([...innermostUnits(units)].slice(0, 9)).toEqual([-1, 0, 0, 1, 1, 1, 1, 0, 2]);
});

it('cuts long definitions into ranges around the definitions inside', () => {
  const units = symbolUnits(symbolsOf([1, 200, -1], [50, 60, 0], [63, 200, 0], [70, 80, 2]));
  expect(units.map(({ symbol, startLine, endLine, parent }) => [symbol, startLine, endLine, parent])).toEqual(
    [
      [0, 1, 40, -1],
      [0, 41, 49, -1],
      [1, 50, 60, -1],
      [2, 63, 69, -1],
      [2, 81, 120, -1],
      [2, 121, 160, -1],
      [2, 161, 200, -1],
      [3, 70, 80, -1],
    ],
  );
});

it('begins a definition with its comment, and does not count the lines of a long one', () => {
  const [first, second] = symbolsOf([12, 100, -1], [111, 115, -1]);
  const symbols = [
    { ...first!, docLines: { startLine: 2, endLine: 11 } },
    { ...second!, docLines: { startLine: 108, endLine: 110 } },
  ];
  const ranges = symbolUnits(symbols).map(({ startLine, endLine, codeLines }) => [
    startLine,
    endLine,
    codeLines,
  ]);
  expect(ranges).toEqual([
    [2, 51, 40],
    [52, 91, 40],
    [92, 100, 9],
    [108, 115, 8],
    [101, 107, 7],
  ]);
});

it('has nothing for a file without definitions', () => {
  expect(symbolUnits([])).toEqual([]);
  expect([...innermostUnits([])]).toEqual([-1]);
});
