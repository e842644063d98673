import { isUtf8 } from 'node:buffer';
import { type CommitHistory, emptyHistory, MAX_FILES_OF_A_COMMIT } from '../../model/commit-history.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { wordParts } from '../../model/word-parts.ts';
import { decodeWindows1252 } from '../../platform/fs/decode-text.ts';
import { prefixBelow } from '../../platform/fs/path-codec.ts';
import type { CommitObject, GitHistory, ListedCommit, PathChange } from '../../platform/git/git-history.ts';
import {
  type CommitTable,
  CREATED,
  type HeadList,
  PLAIN,
  RENAMED,
  type StoredHistory,
} from '../format/index.ts';
import type { Repository } from '../index.ts';
import { assembleHistory } from './assemble-history.ts';
import {
  allCommits,
  arrangeHistory,
  commitsByWord,
  findListedCommits,
  joinTables,
  type ListKey,
  readHistoryCache,
  type WordColumns,
  whole,
  writeHistoryCache,
} from './history-cache.ts';

interface HistoryOptions {
  /** How many commits to look at, newest first. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/**
 * The commits that `headSha` reaches. What was read once is kept by commit id in the index folder, and so is the list of
 * each head: nothing is asked of git while the head stays where it is. Only what this head reaches is in the answer.
 */
export async function loadHistory(
  repository: Repository,
  headSha: string | null,
  options: HistoryOptions,
): Promise<CommitHistory> {
  const { git, cache, root } = repository;
  const prefix = git === null ? null : prefixBelow(git.workTree, root.path);
  if (git === null || prefix === null || headSha === null || options.limit < 1) return emptyHistory();
  const wanted = { head: headSha, bounds: git.history.bounds(), limit: options.limit };
  const kept = findListedCommits(cache, wanted);
  if (kept) return assembleHistory(kept.table, prefix, remarks(kept.list));

  const { history, failure } = await readOn(git.history, readHistoryCache(cache), wanted, options.signal);
  const diagnostics = failure === null ? remarks(history.lists[0]!) : [unreadable(failure)];
  if (failure === null) diagnostics.push(...keep(repository, history));
  return assembleHistory(history.current, prefix, diagnostics);
}

/** What is kept, and the commits that are not, with the list of `wanted` first. */
async function readOn(
  git: GitHistory,
  kept: StoredHistory | null,
  wanted: ListKey,
  signal: AbortSignal | undefined,
): Promise<{ readonly history: StoredHistory; readonly failure: string | null }> {
  signal?.throwIfAborted();
  const { commits: listed, failure } = await git.list(wanted.head, wanted.limit);
  signal?.throwIfAborted();
  const known = kept === null ? tableOf([]) : allCommits(kept);
  const places = new Map(known.ids.map((id, place) => [id, place]));
  const unknown = listed.filter(({ id }) => !places.has(id));
  const { records, unread } = await readCommits(git, unknown);
  signal?.throwIfAborted();
  for (const { id } of records) places.set(id, places.size);
  const table = joinTables([whole(known), whole(tableOf(records))]);
  const commits = Uint32Array.from(listed.flatMap(({ id }) => places.get(id) ?? []));
  const list: HeadList = { ...wanted, unread, commits };
  return { history: arrangeHistory(table, list, kept?.lists ?? []), failure };
}

/** A cache that cannot be written costs time and changes no answer. */
function keep({ cache }: Repository, history: StoredHistory): Diagnostic[] {
  try {
    writeHistoryCache(cache, history);
    return [];
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return [{ code: 'history-not-kept', severity: 'info', message: error.message }];
  }
}

function remarks({ unread, commits }: HeadList): Diagnostic[] {
  if (unread === 0) return [];
  const message = `${unread} of ${unread + commits.length} commits cannot be read: parts of the history are missing here`;
  return [{ code: 'history-incomplete', severity: 'info', message }];
}

function unreadable(failure: string): Diagnostic {
  return {
    code: 'history-unreadable',
    severity: 'warning',
    message: `git cannot list the commits: ${failure}`,
  };
}

interface CommitsRead {
  readonly records: readonly CommitRecord[];
  /** How many commits could not be read and should have been. */
  readonly unread: number;
}

/** Reads these commits, in this order. What lies at the edge of a shallow clone has no known changes: left out. */
export async function readCommits(
  history: GitHistory,
  listed: readonly ListedCommit[],
): Promise<CommitsRead> {
  if (listed.length === 0) return { records: [], unread: 0 };
  const objects = new Map<string, CommitObject>();
  for (const object of await history.objects(listed.map(({ id }) => id))) objects.set(object.id, object);
  const readable = listed.filter((commit) => {
    const object = objects.get(commit.id);
    return object !== undefined && object.parents.join() === commit.parents.join();
  });
  const records = new Map<string, CommitRecord>();
  await history.changes(readable, (id, changes) => {
    const object = objects.get(id);
    if (object === undefined) return;
    const words = messageWords(decodeMessage(object.message, object.encoding));
    records.set(id, { id, ...words, fileCount: changes.length, changes: keptChanges(changes) });
  });
  return {
    records: readable.flatMap(({ id }) => records.get(id) ?? []),
    unread: readable.length - records.size + listed.length - objects.size,
  };
}

/** One commit as it was read. */
interface CommitRecord extends MessageWords {
  readonly id: string;
  readonly fileCount: number;
  /** Of a commit that changed too many files: renames alone, because older commits still know the old names. */
  readonly changes: readonly PathChange[];
}

const MAX_RENAMES = 2000;

function keptChanges(changes: readonly PathChange[]): readonly PathChange[] {
  if (changes.length <= MAX_FILES_OF_A_COMMIT) return changes;
  return changes.filter(({ kind }) => kind === 'renamed').slice(0, MAX_RENAMES);
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

function tableOf(records: readonly CommitRecord[]): CommitTable {
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

interface MessageWords {
  /** The first line, fit to be shown. */
  readonly subject: string;
  /** Lower-case part to `inSubject << 4 | inBody`. */
  readonly words: ReadonlyMap<string, number>;
}

const MAX_SUBJECT_CHARACTERS = 200;
/** Four bits each: a tenth occurrence says no more than the ninth. */
const MAX_OCCURRENCES = 15;
const SUBJECT_SHIFT = 4;
/** Longer runs are encoded data, not words. */
const MAX_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Lines about people and bookkeeping: `Signed-off-by:`, `Change-Id:`, `PR-URL:`, `git-svn-id:`. */
const TRAILER = /^\s*(?:[a-z]+(?:-[a-z]+)*-(?:by|id|url|to|from)|cc|\(cherry picked from commit)\b/i;
/** What only this commit has: addresses, ids of commits, numbers of issues with the word before them. */
const REFERENCES = [
  /\bhttps?:\/\/\S+/gi,
  /\b(?:(?:fix|clos|resolv)(?:e[sd]?|ing)?|fix(?:es|ed)|refs?|references|see|issue|bug|pr)\b[\s:]*(?:#|gh-)\d+/gi,
  /(?:#|\bgh-)\d+\b/gi,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi,
];
/** Each of them has a digit or is an address. */
const MAY_REFER = /[0-9]|:\/\//;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Splits a message into the words that a task can meet it by. */
export function messageWords(message: string): MessageWords {
  const [first = '', ...rest] = message.replace(/^\s+/, '').split(/\r\n|\n|\r/);
  const words = new Map<string, number>();
  count(words, first, SUBJECT_SHIFT);
  for (const line of rest) if (!TRAILER.test(line)) count(words, line, 0);
  return { subject: shown(first), words };
}

function count(words: Map<string, number>, line: string, shift: number): void {
  let text = line;
  if (MAY_REFER.test(line)) for (const reference of REFERENCES) text = text.replace(reference, ' ');
  for (const word of text.match(WORD) ?? []) {
    if (word.length > MAX_WORD) continue;
    for (const part of wordParts(word)) {
      const counts = words.get(part) ?? 0;
      if (((counts >> shift) & MAX_OCCURRENCES) < MAX_OCCURRENCES) words.set(part, counts + (1 << shift));
    }
  }
}

function shown(line: string): string {
  return cutText(line.replace(CONTROLS, ' ').trim(), MAX_SUBJECT_CHARACTERS);
}

/** Longer messages are change logs; their beginning says what the commit is about. */
const MAX_CHARACTERS = 2048;
/** No encoding needs more bytes for a character. */
const MAX_BYTES = MAX_CHARACTERS * 4;

/** The text of a commit message, whatever it was written in. Never fails: a wrong letter costs a word at most. */
export function decodeMessage(message: Buffer, encoding: string | null): string {
  const bytes = message.subarray(0, MAX_BYTES);
  const text = decodeAs(bytes, encoding) ?? decodeGuessed(bytes);
  return cutText(text, MAX_CHARACTERS);
}

/** Never half a character. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function decodeAs(bytes: Buffer, encoding: string | null): string | null {
  if (encoding === null) return null;
  try {
    const decoder = new TextDecoder(encoding);
    if (decoder.encoding === 'utf-8') return null;
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    // an unknown encoding
    return null;
  }
}

function decodeGuessed(bytes: Buffer): string {
  // the cut at the end may have gone through a character
  const whole = bytes.length === MAX_BYTES ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
  return isUtf8(whole) ? bytes.toString('utf8') : decodeWindows1252(bytes);
}
