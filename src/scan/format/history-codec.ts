import { decodePath, encodePathBytes } from '../../platform/fs/path-codec.ts';
import { ByteReader, ByteWriter } from './record-codec.ts';
import { DamagedFileError, type RangeReader, SectionFile, writeSections } from './section-file.ts';

/** Goes up when sections change, or what counts as a word of a message. */
const HISTORY_FORMAT = 1;

/** The commits of each word, as in `CommitHistory`. */
interface Postings {
  readonly starts: Uint32Array;
  /** Of one word: ascending places in the table. */
  readonly commits: Uint32Array;
  readonly counts: Uint8Array;
}

/**
 * Commits as columns, in any order; stored as they are, so that a new process has nothing to decode. What is in here is a function of the commit's objects alone, so that it stays
 * true for as long as the id is the same.
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
  /** How many files the commit changed; more than are listed where it was too many. */
  readonly fileCounts: Uint32Array;
  readonly changeStarts: Uint32Array;
  /** Places in `paths`. */
  readonly changedPaths: Uint32Array;
  /** What happened: `PLAIN`, `CREATED`, or `RENAMED` plus the place in `paths` of the former name. */
  readonly changeOrigins: Uint32Array;
}

export const PLAIN = 0;
export const CREATED = 1;
export const RENAMED = 2;

/** The commits that one head reaches, in git's order. */
export interface HeadList {
  readonly head: string;
  readonly bounds: string;
  /** How many were asked for. */
  readonly limit: number;
  /** How many of them could not be read. */
  readonly unread: number;
  /** Places in the table. */
  readonly commits: Uint32Array;
}

export interface StoredHistory {
  /** The commits of the first list, in its order: all that is needed while the head stays. */
  readonly current: CommitTable;
  /** Commits that only other lists have; their places go on behind those of `current`. */
  readonly rest: CommitTable;
  /** The one used last comes first. */
  readonly lists: readonly HeadList[];
}

type ListHead = Omit<HeadList, 'commits'>;
type Sections = Record<string, Uint8Array | Uint32Array>;

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

function terminated(values: readonly string[], mark: string): string {
  return values.length === 0 ? '' : values.join(mark) + mark;
}

function items(text: string, mark: string): string[] {
  const values = text.split(mark);
  values.pop();
  return values;
}

/** Lists that mostly count up: `from, length` for each stretch that does. */
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
