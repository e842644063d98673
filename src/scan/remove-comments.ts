// Takes comments out of texts, as the parser of each language finds them. Lines keep their numbers: a line that was
// only a comment stays as an empty one. A parser process does the parsing, because a grammar may hang or crash.
import type { Settings } from '../config/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { contentHash } from '../platform/fs/read-file.ts';
import { builtProgram, parserNodeOptions } from '../platform/host.ts';
import { WorkerProcess } from '../platform/process/worker-process.ts';
import { type CommentRange, detectLanguage, type FoundComments } from './parse/index.ts';
import type { CommentJob, CommentText } from './pool/index.ts';

/** A text without its comments, and where its characters went. */
interface StrippedText {
  readonly text: string;
  /** The new offset of a character; of one that is gone, the place where it was. */
  moveOffset(offset: number): number;
}

/** Removes ranges that are sorted and apart. Line ends inside them stay. */
export function stripComments(text: string, ranges: readonly CommentRange[]): StrippedText {
  const cuts: { start: number; end: number; left: string }[] = [];
  let last = 0;
  for (const { start, end } of ranges) {
    const behind = skipBlanks(text, end);
    const isLast = behind >= text.length || text[behind] === '\n' || text[behind] === '\r';
    const lineEnds = text.slice(start, end).replace(/[^\r\n]+/g, '');
    // nothing but white space is left at the end of a line
    const from = isLast || lineEnds !== '' ? Math.max(last, skipBlanksBack(text, start)) : start;
    const to = isLast ? behind : end;
    const joins =
      lineEnds === '' && from === start && to === end && isWord(text[start - 1]) && isWord(text[end]);
    cuts.push({ start: from, end: to, left: joins ? ' ' : lineEnds });
    last = to;
  }
  let stripped = '';
  let at = 0;
  const moves = cuts.map(({ start, end, left }) => {
    stripped += text.slice(at, start) + left;
    at = end;
    return { start, end, moved: stripped.length - left.length, by: stripped.length - end };
  });
  stripped += text.slice(at);
  return {
    text: stripped,
    moveOffset(offset) {
      let [low, high] = [0, moves.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (moves[middle]!.start < offset) low = middle + 1;
        else high = middle;
      }
      const before = moves[low - 1];
      if (!before) return offset;
      return offset < before.end ? before.moved : offset + before.by;
    },
  };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

function skipBlanksBack(text: string, from: number): number {
  let at = from;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

/** Two characters that would be read as one word, or one operator, without what was between them. */
const isWord = (character: string | undefined): boolean => character !== undefined && !/\s/.test(character);

interface StripOptions {
  readonly settings: Settings;
  readonly signal?: AbortSignal | undefined;
}

/** Removes the comments of texts, as far as they are known. */
export interface CommentStripper {
  /** Asks for the comments of these texts. */
  prepare(texts: readonly CommentText[]): Promise<void>;
  /** The text without its comments, if it was prepared; another text is as it was. */
  strip(text: CommentText): StrippedText;
  /** Files that are left as they are. */
  diagnostics(): Diagnostic[];
  close(): void;
}

const hashOf = (text: string): string => contentHash(Buffer.from(text));

/** Keeps the ranges and not the texts: a repository need not fit into memory. */
export function openCommentStripper(options: StripOptions): CommentStripper {
  const pool = openCommentPool(options);
  const known = new Map<string, { readonly hash: string; readonly found: FoundComments }>();
  const rangesOf = ({ path, text }: CommentText): readonly CommentRange[] => {
    const one = known.get(path);
    return one?.found.kind === 'found' && one.hash === hashOf(text) ? one.found.ranges : [];
  };
  return {
    strip: (one) => stripComments(one.text, rangesOf(one)),
    async prepare(texts) {
      const found = await pool.find(texts);
      for (const [at, { path, text }] of texts.entries())
        known.set(path, { hash: hashOf(text), found: found[at]! });
    },
    diagnostics: () => leftAsTheyAre([...known].map(([path, { found }]) => ({ path, kind: found.kind }))),
    close: () => pool.close(),
  };
}

/** Names in a message. */
const MAX_NAMED = 5;

/** Says which comments are still there. Files of languages without comments are not worth a word. */
function leftAsTheyAre(
  files: readonly { readonly path: string; readonly kind: FoundComments['kind'] }[],
): Diagnostic[] {
  const notParsed = files.filter(({ kind }) => kind === 'not-parsed').map(({ path }) => path);
  const languages = new Set(
    files.flatMap(({ path, kind }) => (kind === 'no-parser' ? languageWithComments(path) : [])),
  );
  const said = (message: string, names: readonly string[]): Diagnostic => ({
    code: 'comments-left',
    severity: 'info',
    message: `comments are left as they are ${message}: ${names.slice(0, MAX_NAMED).join(', ')}${names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : ''}`,
  });
  return [
    ...(languages.size > 0 ? [said('in languages without a parser', [...languages].sort())] : []),
    ...(notParsed.length > 0 ? [said('in files that could not be parsed without mistakes', notParsed)] : []),
  ];
}

function languageWithComments(path: string): string[] {
  const language = detectLanguage(path, null);
  const { lineComments = [], blockComments = [] } = language?.lexis ?? {};
  return language && lineComments.length + blockComments.length > 0 ? [language.name] : [];
}

/** A parser process that finds comments. Close it when no more texts come. */
interface CommentPool {
  /** A result for each text, in their order. */
  find(texts: readonly CommentText[]): Promise<FoundComments[]>;
  close(): void;
}

interface PoolOptions {
  readonly settings: Pick<Settings, 'parseTimeout' | 'cacheDir'>;
  readonly signal?: AbortSignal | undefined;
}

/** Characters of one message to the process. */
const MAX_MESSAGE = 4_000_000;
/** Silence before the first text, while the process starts, and for one text. In milliseconds. */
const START_MS = 60_000;
const MIN_SILENCE_MS = 3_000;
const SILENCE_FACTOR = 2;

const NOT_PARSED: FoundComments = { kind: 'not-parsed' };

/** Starts no process before the first text. */
function openCommentPool({ settings, signal }: PoolOptions): CommentPool {
  const { parseTimeout, cacheDir } = settings;
  const silence = Math.max(MIN_SILENCE_MS, parseTimeout * SILENCE_FACTOR);
  let worker: WorkerProcess<CommentJob, FoundComments[]> | null = null;
  const stop = () => worker?.kill();
  signal?.addEventListener('abort', stop, { once: true });

  /** A text on which the process dies has no known comments; the next process goes on behind it. */
  async function findIn(texts: readonly CommentText[]): Promise<FoundComments[]> {
    const found: FoundComments[] = [];
    while (found.length < texts.length) {
      signal?.throwIfAborted();
      worker ??= new WorkerProcess(builtProgram('scan-worker.js'), parserNodeOptions(), `${cacheDir}/code`);
      const job = { comments: texts.slice(found.length), parseLimitMs: parseTimeout };
      const outcome = await worker.run(job, (begun) => (begun > 0 ? silence : START_MS));
      if (outcome.kind === 'done') found.push(...outcome.result);
      else {
        worker.kill();
        worker = null;
        // before the first text it is not the fault of a text: one is given up all the same, so that this ends
        const given = Math.max(1, outcome.started);
        const before = given > 1 ? await findIn(job.comments.slice(0, given - 1)) : [];
        found.push(...before, NOT_PARSED);
      }
    }
    return found;
  }

  return {
    async find(texts) {
      const found: FoundComments[] = [];
      for (const portion of portions(texts)) found.push(...(await findIn(portion)));
      return found;
    },
    close() {
      signal?.removeEventListener('abort', stop);
      worker?.close();
      worker = null;
    },
  };
}

function* portions(texts: readonly CommentText[]): Generator<CommentText[]> {
  let portion: CommentText[] = [];
  let size = 0;
  for (const one of texts) {
    if (size + one.text.length > MAX_MESSAGE && portion.length > 0) {
      yield portion;
      [portion, size] = [[], 0];
    }
    portion.push(one);
    size += one.text.length;
  }
  if (portion.length > 0) yield portion;
}
