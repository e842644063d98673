import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EdgeList } from '../../../model/snapshot.ts';
import { byPath, fileAt, indexOf } from '../index.test-kit.ts';
import { gatherGraphEvidence, reverseEdges, spread } from './neighbour-signals.ts';

const TEXTS = {
  'src/api/client.ts': 'import { connect } from "../net/index.ts";\nexport const client = connect();\n',
  'src/api/limits.ts': 'export const limits = 3;\n',
  'src/net/index.ts': 'export * from "./socket.ts";\n',
  'src/net/socket.ts': 'export function connect() {\n  return 1;\n}\n',
  'src/net/socket.test.ts': 'import { connect } from "./socket.ts";\nconnect();\n',
  'src/other/alone.ts': 'export const alone = 1;\n',
};

async function evidenceFor(...strong: string[]) {
  const index = await indexOf(TEXTS);
  const strength = new Float64Array(index.snapshot.files.length);
  strong.forEach((path, at) => {
    strength[fileAt(index, path)] = 1 / (at + 1);
  });
  const evidence = gatherGraphEvidence(index.snapshot.files, index.links, strength);
  return (name: keyof typeof evidence) => byPath(index, evidence[name]);
}

it('follows imports through a barrel to the file that defines the name', async () => {
  const of = await evidenceFor('src/api/client.ts');
  expect(of('usedByStrong')).toEqual({ 'src/net/socket.ts': 1 });
});

it('gives to the files that use a strong file', async () => {
  const of = await evidenceFor('src/net/socket.ts');
  expect(of('usesStrong')['src/api/client.ts']).toBe(1);
  expect(of('usesStrong')['src/other/alone.ts']).toBeUndefined();
});

it('leads from a strong test to the source it covers, and not from the source to itself', async () => {
  const fromTest = await evidenceFor('src/net/socket.test.ts');
  expect(fromTest('testedByStrong')).toEqual({ 'src/net/socket.ts': 1 });
  const fromSource = await evidenceFor('src/net/socket.ts');
  expect(fromSource('testedByStrong')).toEqual({});
});

it('gives to the files beside a strong file, not to that file itself', async () => {
  const of = await evidenceFor('src/api/client.ts');
  expect(of('besideStrong')).toEqual({ 'src/api/limits.ts': 1 });
});

it('says nothing when nothing is strong', async () => {
  const of = await evidenceFor();
  for (const name of ['usedByStrong', 'usesStrong', 'testedByStrong', 'besideStrong'] as const)
    expect(of(name)).toEqual({});
});

it('is 0..1, the best having 1', async () => {
  const of = await evidenceFor('src/net/socket.ts', 'src/api/client.ts', 'src/other/alone.ts');
  for (const name of ['usedByStrong', 'usesStrong', 'besideStrong'] as const) {
    const values = Object.values(of(name));
    expect(Math.max(...values)).toBe(1);
    expect(Math.min(...values)).toBeGreaterThan(0);
  }
});

it('copes with a folder that has more files than a call can have arguments', () => {
  const classification = { role: 'source', generated: false, vendored: false, reasons: [] } as const;
  const files = Array.from({ length: 200_000 }, (_, at) => ({ path: `all/${at}.ts`, classification }));
  const none = { starts: new Uint32Array(files.length + 1), targets: new Uint32Array(0) };
  const links = { imports: none, definers: none, tests: none };
  const strength = new Float64Array(files.length);
  strength[7] = 1;
  const { besideStrong } = gatherGraphEvidence(
    files as unknown as Parameters<typeof gatherGraphEvidence>[0],
    links as unknown as Parameters<typeof gatherGraphEvidence>[1],
    strength,
  );
  expect([besideStrong[7], besideStrong[8]]).toEqual([0, 1]);
});

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

it('passes on strength, less to each the more files there are on either side', () => {
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
