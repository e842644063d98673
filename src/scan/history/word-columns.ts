import type { CommitTable } from '../format/history-codec.ts';

/** The words of each commit: the other way round of `Postings`. */
export interface WordColumns {
  readonly starts: Uint32Array;
  /** Of one commit: ascending places in the list of words. */
  readonly words: Uint32Array;
  /** `inSubject << 4 | inBody`. */
  readonly counts: Uint8Array;
}

interface Rows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly counts: Uint8Array;
}

/** Rows become columns. What comes out is ascending, whatever went in. */
function transpose({ starts, columns, counts }: Rows, columnCount: number): Rows {
  const turned = new Uint32Array(columnCount + 1);
  for (let at = 0; at < columns.length; at++) turned[columns[at]! + 1]!++;
  for (let column = 0; column < columnCount; column++) turned[column + 1]! += turned[column]!;
  const next = turned.slice();
  const rows = new Uint32Array(columns.length);
  const turnedCounts = new Uint8Array(columns.length);
  for (let row = 0; row + 1 < starts.length; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const place = next[columns[at]!]!++;
      rows[place] = row;
      turnedCounts[place] = counts[at]!;
    }
  }
  return { starts: turned, columns: rows, counts: turnedCounts };
}

export function wordsByCommit({ postings, ids }: CommitTable): WordColumns {
  const { starts, columns, counts } = transpose({ ...postings, columns: postings.commits }, ids.length);
  return { starts, words: columns, counts };
}

/** What a table says about its words; `wordTotal` is how many there are. */
export function commitsByWord(
  columns: WordColumns,
  wordTotal: number,
): Pick<CommitTable, 'postings' | 'subjectLengths' | 'bodyLengths'> {
  const turned = transpose({ ...columns, columns: columns.words }, wordTotal);
  const subjectLengths = new Uint32Array(columns.starts.length - 1);
  const bodyLengths = new Uint32Array(columns.starts.length - 1);
  for (let commit = 0; commit < subjectLengths.length; commit++) {
    for (let at = columns.starts[commit]!; at < columns.starts[commit + 1]!; at++) {
      subjectLengths[commit]! += columns.counts[at]! >> 4;
      bodyLengths[commit]! += columns.counts[at]! & 15;
    }
  }
  const postings = { starts: turned.starts, commits: turned.columns, counts: turned.counts };
  return { postings, subjectLengths, bodyLengths };
}
