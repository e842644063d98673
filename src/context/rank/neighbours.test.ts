import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EdgeList } from '../../model/file-links.ts';
import { reverseEdges, spread } from './graph-evidence.ts';

function edgesOf(...rows: readonly number[][]): EdgeList {
  const starts = new Uint32Array(rows.length + 1);
  rows.forEach((row, at) => {
    starts[at + 1] = starts[at]! + row.length;
  });
  return { starts, targets: Uint32Array.from(rows.flat()) };
}

const rowsOf = ({ starts, targets }: EdgeList) =>
  Array.from({ length: starts.length - 1 }, (_, at) => [...targets.subarray(starts[at], starts[at + 1])]);

it('turns edges around', () => {
  expect(rowsOf(reverseEdges(edgesOf([1, 2], [2], [])))).toEqual([[], [0], [0, 1]]);
  expect(rowsOf(reverseEdges(edgesOf()))).toEqual([]);
});

it('gives the same edges when turned around twice', () => {
  const rows = fc
    .integer({ min: 1, max: 12 })
    .chain((count) =>
      fc.array(fc.uniqueArray(fc.nat({ max: count - 1 })), { minLength: count, maxLength: count }),
    );
  fc.assert(
    fc.property(rows, (given) => {
      const sorted = given.map((row) => [...row].sort((a, b) => a - b));
      expect(rowsOf(reverseEdges(reverseEdges(edgesOf(...sorted))))).toEqual(sorted);
    }),
  );
});

it('hands strength on, less to each the more there are on either side', () => {
  const edges = edgesOf([1, 2, 3, 3], [3], [], []);
  const reached = spread(edges, reverseEdges(edges), new Map([[0, 1]]));
  expect(reached.get(1)).toBeCloseTo(0.5 / Math.log2(2), 10);
  expect(reached.get(3)).toBeCloseTo((2 * 0.5) / Math.log2(4), 10);
  expect(reached.has(0)).toBe(false);
});

it('gives a file nothing for leading to itself, and nothing for a file that leads nowhere', () => {
  const edges = edgesOf([0, 1], []);
  expect([...spread(edges, reverseEdges(edges), new Map([[0, 1]])).keys()]).toEqual([1]);
  expect(spread(edges, reverseEdges(edges), new Map([[1, 1]])).size).toBe(0);
});
