import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import {
  type CommitTable,
  DamagedFileError,
  decodeCurrentHistory,
  decodeHistory,
  encodeHistory,
  type HeadList,
  type RangeReader,
  type StoredHistory,
} from '../format/index.ts';
import { joinTables, whole } from './join-tables.ts';

const FILE = 'commits.history';
/** Branches and work trees whose lists are kept. */
const MAX_LISTS = 16;
/** All kept lists together may have this many times the commits of the newest. */
const MAX_LIST_LENGTHS = 2;

/** What a list is found by. */
export type ListKey = Pick<HeadList, 'head' | 'bounds' | 'limit'>;

/** A list with its commits, newest first. */
export interface ListedTable {
  readonly list: HeadList;
  readonly table: CommitTable;
}

/** The commits of a list that was kept; null when it was not. */
export function findListedCommits(cache: CacheFolder, key: ListKey): ListedTable | null {
  const newest = decoded(cache, decodeCurrentHistory);
  if (newest === null || isSame(newest.list, key)) return newest;
  const all = readHistoryCache(cache);
  const list = all?.lists.find((one) => isSame(one, key));
  return all && list
    ? { list, table: joinTables([{ table: allCommits(all), commits: list.commits }]) }
    : null;
}

/** Null when there is none, or it is damaged or of another format: then it is made anew. */
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

function isSame(one: ListKey, other: ListKey): boolean {
  return one.head === other.head && one.bounds === other.bounds && one.limit === other.limit;
}

/** The table that the places in lists are about. */
export function allCommits({ current, rest }: StoredHistory): CommitTable {
  return joinTables([whole(current), whole(rest)]);
}

/** Replaces the file as a whole. Of two writers the last one wins; what the other knew is read again when needed. */
export function writeHistoryCache(cache: CacheFolder, history: StoredHistory): void {
  cache.write(FILE, Buffer.concat(encodeHistory(history)));
}

/** What to keep of a table: the newest list, and of the others those that do not take too much room. */
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
