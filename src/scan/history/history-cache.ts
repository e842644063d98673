// Commits on disk, in the folder of the index. The list of each head is kept, so that git is asked only for commits
// that no earlier scan has read. Tables are columns of numbers, and joining them is most of the work.
import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import {
  type CommitTable,
  DamagedFileError,
  decodeCurrentHistory,
  decodeHistory,
  encodeHistory,
  type HeadList,
  type RangeReader,
  RENAMED,
  type StoredHistory,
} from '../format/index.ts';

/** One file for all work trees of the repository. */
const FILE = 'commits.history';
/** Lists of commits that are kept: one for each branch or work tree in use. */
const MAX_LISTS = 16;
/** All kept lists together may have this many times the commits of the newest. */
const MAX_LIST_LENGTHS = 2;

/** The key of a list of commits. */
export type ListKey = Pick<HeadList, 'head' | 'bounds' | 'limit'>;

/** A list with its commits, newest first. */
interface ListedTable {
  readonly list: HeadList;
  readonly table: CommitTable;
}

/** The commits of a stored list; null when it is not stored. The newest list can be read alone. */
export function findListedCommits(cache: CacheFolder, key: ListKey): ListedTable | null {
  const newest = decoded(cache, decodeCurrentHistory);
  if (newest === null || isSame(newest.list, key)) return newest;
  const all = readHistoryCache(cache);
  const list = all?.lists.find((one) => isSame(one, key));
  return all && list
    ? { list, table: joinTables([{ table: allCommits(all), commits: list.commits }]) }
    : null;
}

/** Null when there is no cache, or when it is damaged or of another format. It is then made again. */
export function readHistoryCache(cache: CacheFolder): StoredHistory | null {
  return decoded(cache, decodeHistory);
}

function decoded<Decoded>(cache: CacheFolder, decode: (reader: RangeReader) => Decoded): Decoded | null {
  const reader = cache.open(FILE);
  if (reader === null) return null;
  try {
    return decode(reader);
  } catch (error) {
    if (error instanceof DamagedFileError) return null;
    throw error;
  } finally {
    reader.close();
  }
}

/** Whether two lists answer the same question. */
function isSame(one: ListKey, other: ListKey): boolean {
  return one.head === other.head && one.bounds === other.bounds && one.limit === other.limit;
}

/** The table that the numbers in lists refer to. */
export function allCommits({ current, rest }: StoredHistory): CommitTable {
  return joinTables([whole(current), whole(rest)]);
}

/**
 * Replaces the whole file. Of two writers the last one wins, and what the other one read is read again when it is
 * needed.
 */
export function writeHistoryCache(cache: CacheFolder, history: StoredHistory): void {
  cache.write(FILE, Buffer.concat(encodeHistory(history)));
}

/** Decides what is stored: the newest list, and others as far as they do not take too much room. */
export function arrangeHistory(
  table: CommitTable,
  newest: HeadList,
  others: readonly HeadList[],
): StoredHistory {
  const places = new Map<number, number>();
  const room = Math.max(newest.commits.length, 1) * MAX_LIST_LENGTHS;
  const lists: HeadList[] = [];
  for (const list of [newest, ...others.filter((other) => !isSame(other, newest))]) {
    const added = list.commits.filter((commit) => !places.has(commit));
    if (lists.length > 0 && (lists.length === MAX_LISTS || places.size + added.length > room)) continue;
    for (const commit of added) places.set(commit, places.size);
    lists.push({ ...list, commits: list.commits.map((commit) => places.get(commit)!) });
  }
  const rest = [...places.keys()].slice(newest.commits.length);
  return {
    current: joinTables([{ table, commits: newest.commits }]),
    rest: joinTables([{ table, commits: rest }]),
    lists,
  };
}

/** Some commits of a table. */
interface TablePart {
  readonly table: CommitTable;
  /** Numbers of commits in the table, in the wanted order. */
  readonly commits: ArrayLike<number>;
}

/** All commits of a table. */
export function whole(table: CommitTable): TablePart {
  return { table, commits: table.ids.map((_, place) => place) };
}

/** Makes one table of these commits in this order. Words and paths that none of them uses are left out. */
export function joinTables(tables: readonly TablePart[]): CommitTable {
  const filled = tables.filter(({ commits }) => commits.length > 0);
  // A whole table would come out as it is, so it is returned as it is.
  if (filled.length === 1 && isWhole(filled[0]!)) return filled[0]!.table;
  const parts = filled.map((part) => ({ ...part, columns: wordsByCommit(part.table) }));
  const count = sum(parts, ({ commits }) => commits.length);
  const wordTotal = sum(parts, ({ columns, commits }) => lengthOf(columns.starts, commits));
  const changeTotal = sum(parts, ({ table, commits }) => lengthOf(table.changeStarts, commits));
  const used = parts.map(usedWords);
  const words = [...new Set(used.flat())].sort();
  const numbers = new Map(words.map((word, at) => [word, at]));
  const paths: string[] = [];
  const pathNumbers = new Map<string, number>();
  const ids: string[] = [];
  const subjects: string[] = [];
  const fileCounts = new Uint32Array(count);
  const wordStarts = new Uint32Array(count + 1);
  const wordIds = new Uint32Array(wordTotal);
  const wordCounts = new Uint8Array(wordTotal);
  const changeStarts = new Uint32Array(count + 1);
  const changedPaths = new Uint32Array(changeTotal);
  const changeOrigins = new Uint32Array(changeTotal);
  let wordAt = 0;
  let changeAt = 0;
  for (const { table, commits, columns } of parts) {
    const renumbered = Int32Array.from(table.words, (word) => numbers.get(word) ?? -1);
    const renumberedPaths = new Int32Array(table.paths.length).fill(-1);
    const pathNumber = (path: number): number => {
      if (renumberedPaths[path] !== -1) return renumberedPaths[path]!;
      const text = table.paths[path]!;
      let number = pathNumbers.get(text);
      if (number === undefined) {
        number = paths.push(text) - 1;
        pathNumbers.set(text, number);
      }
      renumberedPaths[path] = number;
      return number;
    };
    for (let listed = 0; listed < commits.length; listed++) {
      const commit = commits[listed]!;
      for (let at = columns.starts[commit]!; at < columns.starts[commit + 1]!; at++) {
        wordIds[wordAt] = renumbered[columns.words[at]!]!;
        wordCounts[wordAt++] = columns.counts[at]!;
      }
      for (let at = table.changeStarts[commit]!; at < table.changeStarts[commit + 1]!; at++) {
        const origin = table.changeOrigins[at]!;
        changedPaths[changeAt] = pathNumber(table.changedPaths[at]!);
        changeOrigins[changeAt++] = origin < RENAMED ? origin : RENAMED + pathNumber(origin - RENAMED);
      }
      fileCounts[ids.length] = table.fileCounts[commit]!;
      subjects.push(table.subjects[commit]!);
      ids.push(table.ids[commit]!);
      wordStarts[ids.length] = wordAt;
      changeStarts[ids.length] = changeAt;
    }
  }
  return {
    ids,
    subjects,
    words,
    ...commitsByWord({ starts: wordStarts, words: wordIds, counts: wordCounts }, words.length),
    paths,
    fileCounts,
    changeStarts,
    changedPaths,
    changeOrigins,
  };
}

/** All commits in their own order. */
function isWhole({ table, commits }: TablePart): boolean {
  if (commits.length !== table.ids.length) return false;
  for (let at = 0; at < commits.length; at++) if (commits[at] !== at) return false;
  return true;
}

function sum<Item>(items: readonly Item[], lengthIn: (item: Item) => number): number {
  return items.reduce((total, item) => total + lengthIn(item), 0);
}

/** Entries of these commits, to allocate columns once. */
function lengthOf(starts: Uint32Array, commits: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < commits.length; at++) total += starts[commits[at]! + 1]! - starts[commits[at]!]!;
  return total;
}

/** The words that these commits use. */
function usedWords({ table, commits, columns }: TablePart & { readonly columns: WordColumns }): string[] {
  const used = new Uint8Array(table.words.length);
  for (let listed = 0; listed < commits.length; listed++) {
    const commit = commits[listed]!;
    for (let at = columns.starts[commit]!; at < columns.starts[commit + 1]!; at++)
      used[columns.words[at]!] = 1;
  }
  return table.words.filter((_, word) => used[word] === 1);
}

/** The words of each commit. `Postings` has the same the other way round. */
export interface WordColumns {
  readonly starts: Uint32Array;
  /** Numbers of words, ascending for each commit. */
  readonly words: Uint32Array;
  /** `inSubject << 4 | inBody`. */
  readonly counts: Uint8Array;
}

interface Rows {
  readonly starts: Uint32Array;
  readonly columns: Uint32Array;
  readonly counts: Uint8Array;
}

/** Swaps rows and columns with a counting sort. The result is ascending, whatever the order of the input. */
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

function wordsByCommit({ postings, ids }: CommitTable): WordColumns {
  const { starts, columns, counts } = transpose({ ...postings, columns: postings.commits }, ids.length);
  return { starts, words: columns, counts };
}

/** The part of a table that is about words; `wordTotal` is their number. */
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
