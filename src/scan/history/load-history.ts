// The commit history of a head: which files changed together, and which words describe the changes. Ranking uses it,
// and so does `evaluate`. A message is decoded, freed from references and split into words.
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
 * The commits that `headSha` reaches. Commits that were read once are kept in the index folder, together with the list
 * of each head, so git is not asked at all while the head stays where it is.
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

/** Reads the commits that the cache does not have. The list of `wanted` comes first in the result. */
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

/** A cache that cannot be written costs time and changes no answer, so this is only noted. */
function keep({ cache }: Repository, history: StoredHistory): Diagnostic[] {
  try {
    writeHistoryCache(cache, history);
    return [];
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return [{ code: 'history-not-kept', severity: 'info', message: error.message }];
  }
}

/** Says how many commits could not be read, if any. */
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
  /** Commits that should have been readable and were not. */
  readonly unread: number;
}

/**
 * Reads these commits in this order. Commits at the edge of a shallow clone are left out, because their changes are
 * unknown.
 */
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
  /** All changes. Of a commit that changed too many files only the renames, because older commits use the old names. */
  readonly changes: readonly PathChange[];
}

/** Renames that are kept of one commit. */
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

/** Lays records out as columns. */
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

/** A message as ranking uses it. */
interface MessageWords {
  /** The first line without control characters, at most 200 characters. */
  readonly subject: string;
  /** Lower-case part to `inSubject << 4 | inBody`. */
  readonly words: ReadonlyMap<string, number>;
}

const MAX_SUBJECT_CHARACTERS = 200;
/** The counts have four bits each. More occurrences say no more. */
const MAX_OCCURRENCES = 15;
/** The count of the subject is in the upper four bits. */
const SUBJECT_SHIFT = 4;
/** Longer runs are encoded data, not words. */
const MAX_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Lines about people and bookkeeping: `Signed-off-by:`, `Change-Id:`, `PR-URL:`, `git-svn-id:`. */
const TRAILER = /^\s*(?:[a-z]+(?:-[a-z]+)*-(?:by|id|url|to|from)|cc|\(cherry picked from commit)\b/i;
/** References that only this commit has: addresses, commit ids, and numbers of issues with the word before them. */
const REFERENCES = [
  /\bhttps?:\/\/\S+/gi,
  /\b(?:(?:fix|clos|resolv)(?:e[sd]?|ing)?|fix(?:es|ed)|refs?|references|see|issue|bug|pr)\b[\s:]*(?:#|gh-)\d+/gi,
  /(?:#|\bgh-)\d+\b/gi,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi,
];
/** A line without a digit and without an address has none of them. */
const MAY_REFER = /[0-9]|:\/\//;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Splits a message into the words that a task may share with it. */
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

/** Decodes a commit message in any encoding. It never fails: a wrong letter costs a word at most. */
export function decodeMessage(message: Buffer, encoding: string | null): string {
  const bytes = message.subarray(0, MAX_BYTES);
  const text = decodeAs(bytes, encoding) ?? decodeGuessed(bytes);
  return cutText(text, MAX_CHARACTERS);
}

/** Cuts a text, but never in the middle of a character. */
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
  // The cut may have split the last character.
  const whole = bytes.length === MAX_BYTES ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
  return isUtf8(whole) ? bytes.toString('utf8') : decodeWindows1252(bytes);
}
