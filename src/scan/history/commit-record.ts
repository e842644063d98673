import { MOST_FILES_OF_A_COMMIT } from '../../model/commit-history.ts';
import type { PathChange } from '../../platform/git/git-history-output.ts';
import { type CommitTable, CREATED, PLAIN, RENAMED } from '../format/history-codec.ts';
import type { MessageWords } from './message-words.ts';
import { commitsByWord, type WordColumns } from './word-columns.ts';

/** One commit as it was read. */
export interface CommitRecord extends MessageWords {
  readonly id: string;
  readonly fileCount: number;
  /** Of a commit that changed too many files: renames alone, because older commits still know the old names. */
  readonly changes: readonly PathChange[];
}

const MOST_RENAMES = 2000;

export function keptChanges(changes: readonly PathChange[]): readonly PathChange[] {
  if (changes.length <= MOST_FILES_OF_A_COMMIT) return changes;
  return changes.filter(({ kind }) => kind === 'renamed').slice(0, MOST_RENAMES);
}

/** Gives each string a number, in order of first use. */
function numbering(): { readonly values: string[]; numberOf(value: string): number } {
  const numbers = new Map<string, number>();
  const values: string[] = [];
  const numberOf = (value: string): number => {
    const known = numbers.get(value);
    if (known !== undefined) return known;
    numbers.set(value, values.length);
    return values.push(value) - 1;
  };
  return { values, numberOf };
}

export function tableOf(records: readonly CommitRecord[]): CommitTable {
  const words = [...new Set(records.flatMap((record) => [...record.words.keys()]))].sort();
  const wordNumbers = new Map(words.map((word, at) => [word, at]));
  const paths = numbering();
  const wordStarts = [0];
  const wordIds: number[] = [];
  const wordCounts: number[] = [];
  const changeStarts = [0];
  const changedPaths: number[] = [];
  const changeOrigins: number[] = [];
  for (const record of records) {
    for (const [word, counts] of record.words) {
      wordIds.push(wordNumbers.get(word)!);
      wordCounts.push(counts);
    }
    wordStarts.push(wordIds.length);
    for (const { kind, path, from } of record.changes) {
      changedPaths.push(paths.numberOf(path));
      const origin = from === null ? (kind === 'added' ? CREATED : PLAIN) : RENAMED + paths.numberOf(from);
      changeOrigins.push(origin);
    }
    changeStarts.push(changedPaths.length);
  }
  const columns: WordColumns = {
    starts: Uint32Array.from(wordStarts),
    words: Uint32Array.from(wordIds),
    counts: Uint8Array.from(wordCounts),
  };
  return {
    ids: records.map(({ id }) => id),
    subjects: records.map(({ subject }) => subject),
    words,
    ...commitsByWord(columns, words.length),
    paths: paths.values,
    fileCounts: Uint32Array.from(records, ({ fileCount }) => fileCount),
    changeStarts: Uint32Array.from(changeStarts),
    changedPaths: Uint32Array.from(changedPaths),
    changeOrigins: Uint32Array.from(changeOrigins),
  };
}
