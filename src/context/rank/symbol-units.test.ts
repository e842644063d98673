import { expect, it } from 'vitest';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { innermostUnits, symbolUnits } from './rank-symbols.ts';

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

it('cuts long definitions into stretches around what they hold', () => {
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

it('has nothing for a file without definitions', () => {
  expect(symbolUnits([])).toEqual([]);
  expect([...innermostUnits([])]).toEqual([-1]);
});
