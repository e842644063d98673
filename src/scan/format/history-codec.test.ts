import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CommitTable,
  decodeCurrentHistory,
  decodeHistory,
  encodeHistory,
  RENAMED,
} from './history-codec.ts';

function reader(chunks: readonly Buffer[]) {
  const bytes = Buffer.concat(chunks);
  return {
    size: bytes.length,
    read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
    close: () => {},
  };
}

const id = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 });
const word = fc.string({ unit: fc.constantFrom('a', 'é', '中', '_', '1'), minLength: 1, maxLength: 5 });
const path = fc.string({ unit: fc.constantFrom('a', '/', '\n', ' ', 'ü', '\udce9', '"'), minLength: 1 });
const paths = fc.uniqueArray(path, { minLength: 1, maxLength: 5 });
const words = fc.uniqueArray(word, { minLength: 1, maxLength: 6 });

const table = fc.tuple(paths, words).chain(([somePaths, someWords]) => {
  const commit = fc.record({
    id,
    subject: fc.string({ unit: fc.constantFrom('x', ' ', 'é') }),
    lengths: fc.tuple(fc.nat(), fc.nat()),
    fileCount: fc.nat(100_000),
    changes: fc.array(fc.tuple(fc.nat(somePaths.length - 1), fc.nat(RENAMED + somePaths.length - 1))),
  });
  return fc.array(commit, { maxLength: 6 }).map((commits): CommitTable => {
    const starts = (lengths: readonly number[]): Uint32Array =>
      Uint32Array.from([0, ...lengths.map((_, at) => lengths.slice(0, at + 1).reduce((a, b) => a + b))]);
    return {
      ids: commits.map((one) => one.id),
      subjects: commits.map((one) => one.subject),
      words: someWords.sort(),
      postings: {
        starts: starts(someWords.map(() => commits.length)),
        commits: Uint32Array.from(someWords.flatMap(() => commits.map((_, at) => at))),
        counts: Uint8Array.from(someWords.flatMap((one) => commits.map(() => one.length * 17))),
      },
      subjectLengths: Uint32Array.from(commits, (one) => one.lengths[0]),
      bodyLengths: Uint32Array.from(commits, (one) => one.lengths[1]),
      paths: somePaths,
      fileCounts: Uint32Array.from(commits, (one) => one.fileCount),
      changeStarts: starts(commits.map((one) => one.changes.length)),
      changedPaths: Uint32Array.from(commits.flatMap((one) => one.changes.map(([changed]) => changed))),
      changeOrigins: Uint32Array.from(commits.flatMap((one) => one.changes.map(([, origin]) => origin))),
    };
  });
});

const list = fc.record({
  head: id,
  bounds: fc.string(),
  limit: fc.nat(),
  unread: fc.nat(),
  commits: fc.array(fc.nat(5000)).map((commits) => Uint32Array.from(commits)),
});

describe('a kept history', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(table, table, fc.array(list, { minLength: 1, maxLength: 4 }), (current, rest, lists) => {
        const history = { current, rest, lists };
        const kept = encodeHistory(history);
        expect(decodeHistory(reader(kept))).toEqual(history);
        expect(decodeCurrentHistory(reader(kept))).toEqual({ table: current, list: lists[0] });
      }),
    );
  });
});
