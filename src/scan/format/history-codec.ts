// The bytes of `commits.history`: tables of commits as columns, and the list of commits of each head.
import { decodePath, encodePathBytes } from '../../platform/fs/path-codec.ts';
import { ByteReader, ByteWriter } from './record-codec.ts';
import { DamagedFileError, type RangeReader, SectionFile, writeSections } from './section-file.ts';

/** Must go up when sections change, or when messages are split into words differently. */
const HISTORY_FORMAT = 1;

/** The commits of each word, as `CommitHistory` has them. */
interface Postings {
  readonly starts: Uint32Array;
  /** Numbers of commits in the table, ascending for each word. */
  readonly commits: Uint32Array;
  readonly counts: Uint8Array;
}

/**
 * Commits as columns, in any order. They are stored as they are, so a new process has nothing to decode. Everything in
 * a table follows from the objects of its commits alone, so it holds as long as the ids are the same.
 */
export interface CommitTable {
  readonly ids: readonly string[];
  readonly subjects: readonly string[];
  /** Sorted by UTF-16 code units, each used. */
  readonly words: readonly string[];
  readonly postings: Postings;
  readonly subjectLengths: Uint32Array;
  readonly bodyLengths: Uint32Array;
  readonly paths: readonly string[];
  /** The number of files that the commit changed. It can be larger than the number of listed changes. */
  readonly fileCounts: Uint32Array;
  readonly changeStarts: Uint32Array;
  /** Numbers of entries in `paths`. */
  readonly changedPaths: Uint32Array;
  /** How the file came to its path: `PLAIN`, `CREATED`, or `RENAMED` plus the number of the former path. */
  readonly changeOrigins: Uint32Array;
}

export const PLAIN = 0;
export const CREATED = 1;
export const RENAMED = 2;

/** The commits that one head reaches, in git's order. */
export interface HeadList {
  readonly head: string;
  /** Limits of the history, such as the edge of a shallow clone. */
  readonly bounds: string;
  /** The number of commits that was asked for. */
  readonly limit: number;
  /** The number of commits that could not be read. */
  readonly unread: number;
  /** Numbers of commits in the table. */
  readonly commits: Uint32Array;
}

/** The whole cache file. */
export interface StoredHistory {
  /** The commits of the first list, in its order. Nothing else is needed while the head stays where it is. */
  readonly current: CommitTable;
  /** Commits that only other lists have. Their numbers continue after those of `current`. */
  readonly rest: CommitTable;
  /** The list that was used last comes first. */
  readonly lists: readonly HeadList[];
}

type ListHead = Omit<HeadList, 'commits'>;
type Sections = Record<string, Uint8Array | Uint32Array>;

/** The bytes of the cache file, in chunks. */
export function encodeHistory({ current, rest, lists }: StoredHistory): Buffer[] {
  const heads = lists.map(({ head, bounds, limit, unread }): ListHead => ({ head, bounds, limit, unread }));
  return writeSections(HISTORY_FORMAT, {
    lists: Buffer.from(JSON.stringify(heads)),
    listed: packRuns(lists.map(({ commits }) => commits)),
    ...tableSections('current', current),
    ...tableSections('rest', rest),
  });
}

/** The first list and its commits. Throws `DamagedFileError` when the bytes are not what was written. */
export function decodeCurrentHistory(reader: RangeReader): { table: CommitTable; list: HeadList } {
  const file = new SectionFile(reader, HISTORY_FORMAT);
  const [list] = decodeLists(file);
  return { list, table: decodeTable(file, 'current', list.head.length) };
}

/** Throws `DamagedFileError` when the bytes are not what was written. */
export function decodeHistory(reader: RangeReader): StoredHistory {
  const file = new SectionFile(reader, HISTORY_FORMAT);
  const lists = decodeLists(file);
  const idLength = lists[0].head.length;
  const [current, rest] = [decodeTable(file, 'current', idLength), decodeTable(file, 'rest', idLength)];
  return { current, rest, lists };
}

function decodeLists(file: SectionFile): [HeadList, ...HeadList[]] {
  const heads = JSON.parse(file.section('lists').toString('utf8')) as ListHead[];
  const runs = unpackRuns(file.section('listed'), heads.length);
  const [first, ...others] = heads.map((head, at): HeadList => ({ ...head, commits: runs[at]! }));
  if (first === undefined) throw new DamagedFileError('a history without a head');
  return [first, ...others];
}

/** The sections of a table, with its name as their prefix. */
function tableSections(name: string, table: CommitTable): Sections {
  return {
    [`${name}.ids`]: Buffer.from(table.ids.join(''), 'hex'),
    [`${name}.subjects`]: Buffer.from(terminated(table.subjects, '\n')),
    [`${name}.words`]: Buffer.from(terminated(table.words, '\n')),
    [`${name}.postingStarts`]: table.postings.starts,
    [`${name}.postingCommits`]: table.postings.commits,
    [`${name}.postingCounts`]: table.postings.counts,
    [`${name}.subjectLengths`]: table.subjectLengths,
    [`${name}.bodyLengths`]: table.bodyLengths,
    [`${name}.paths`]: encodePathBytes(terminated(table.paths, '\0')),
    [`${name}.fileCounts`]: table.fileCounts,
    [`${name}.changeStarts`]: table.changeStarts,
    [`${name}.changedPaths`]: table.changedPaths,
    [`${name}.changeOrigins`]: table.changeOrigins,
  };
}

function decodeTable(file: SectionFile, name: string, idLength: number): CommitTable {
  const hex = file.section(`${name}.ids`).toString('hex');
  const count = hex.length / idLength;
  return {
    ids: Array.from({ length: count }, (_, at) => hex.slice(at * idLength, (at + 1) * idLength)),
    subjects: items(file.section(`${name}.subjects`).toString('utf8'), '\n'),
    words: items(file.section(`${name}.words`).toString('utf8'), '\n'),
    postings: {
      starts: file.numbers(`${name}.postingStarts`),
      commits: file.numbers(`${name}.postingCommits`),
      counts: new Uint8Array(file.section(`${name}.postingCounts`)),
    },
    subjectLengths: file.numbers(`${name}.subjectLengths`),
    bodyLengths: file.numbers(`${name}.bodyLengths`),
    paths: items(decodePath(file.section(`${name}.paths`)), '\0'),
    fileCounts: file.numbers(`${name}.fileCounts`),
    changeStarts: file.numbers(`${name}.changeStarts`),
    changedPaths: file.numbers(`${name}.changedPaths`),
    changeOrigins: file.numbers(`${name}.changeOrigins`),
  };
}

/** Each value is followed by the mark, so that an empty list and a list with one empty value differ. */
function terminated(values: readonly string[], mark: string): string {
  return values.length === 0 ? '' : values.join(mark) + mark;
}

/** The reverse of `terminated`. */
function items(text: string, mark: string): string[] {
  const values = text.split(mark);
  values.pop();
  return values;
}

/** Numbers that mostly count up, as `from, length` for each stretch. */
function packRuns(lists: readonly Uint32Array[]): Buffer {
  const writer = new ByteWriter(1024);
  for (const list of lists) {
    writer.varint(list.length);
    for (let at = 0; at < list.length; ) {
      let end = at + 1;
      while (end < list.length && list[end] === list[end - 1]! + 1) end++;
      writer.varint(list[at]!);
      writer.varint(end - at);
      at = end;
    }
  }
  return writer.finish();
}

/** The reverse of `packRuns`. */
function unpackRuns(bytes: Uint8Array, count: number): Uint32Array[] {
  const reader = new ByteReader(bytes);
  return Array.from({ length: count }, () => {
    const list = new Uint32Array(reader.varint());
    for (let at = 0; at < list.length; ) {
      const from = reader.varint();
      const end = at + reader.varint();
      for (let value = from; at < end; at++) list[at] = value++;
    }
    return list;
  });
}
