// Selectors take a part of a text: its beginning, its end, lines, values of JSON, matches, or the passages that
// answer to a query. Every selector keeps to the limit, and one that cannot work falls back to the beginning.

import { cutToCharacters } from '../../context/fit/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { readJson } from '../../model/read-json.ts';
import { isStopWord } from '../../model/stop-words.ts';
import { wordParts } from '../../model/word-parts.ts';
import { checkArguments, objectWith, required, TEXT, wholeNumber } from '../../schema/check-arguments.ts';
import { queryJson } from './json-path.ts';
import { compileLinePattern } from './line-pattern.ts';
import { isSelectorName, type Selection, type SelectorName, showSelection } from './selection.ts';

/** A part of a text, and how it was taken. */
export interface SelectedText {
  /** Never longer than the limit, no pair split. */
  readonly text: string;
  /** The selector that was used. */
  readonly selector: SelectorName;
  /** Why it is not what was asked for; empty when it is. */
  readonly notice: string;
}

/** In characters; parsing more would block the process for seconds. */
const MAX_JSON = 32 * 1024 * 1024;
/** Lines before and after a match. */
const CONTEXT_LINES = 2;
/** Of one text; far more than any limit has room for. */
const MAX_MATCHES = 10_000;

const SELECTOR_KINDS = {
  text: required(TEXT),
  selection: required(objectWith('{ selector, argument }, two texts', { selector: TEXT, argument: TEXT })),
  limit: required(wholeNumber(0)),
  query: TEXT,
};

/** Takes a part of a text, never more than `limit` characters. A selector that cannot work falls back, with a notice. */
export function applySelector(text: string, selection: Selection, limit: number, query = ''): SelectedText {
  checkArguments('applySelector', { text, selection, limit, query }, SELECTOR_KINDS);
  const { selector } = selection;
  const fallback = (notice: string): SelectedText => ({
    text: firstCharacters(text, limit),
    selector: 'first_chars',
    notice: `${showSelection(selection)}: ${notice}; first_chars instead`,
  });
  if (!isSelectorName(selector)) return fallback('this selector is not known');
  if (selector === 'first_chars') return { text: firstCharacters(text, limit), selector, notice: '' };
  if (selector === 'last_chars') return { text: lastCharacters(text, limit), selector, notice: '' };
  if (selector === 'head_tail') return { text: headAndTail(text, limit), selector, notice: '' };
  try {
    const found = SEARCHES[selector](text, selection.argument, limit, query);
    if (typeof found === 'string') return { text: found, selector, notice: '' };
    if ('problem' in found) return fallback(found.problem);
    return { text: found.text, selector, notice: `${showSelection(selection)}: ${found.notice}` };
  } catch (error) {
    if (error instanceof LoadoutError) return fallback(error.message);
    throw error;
  }
}

/** A text is the result; `problem` makes the selector fall back; `notice` comes with a partial result. */
type Search = (
  text: string,
  argument: string,
  limit: number,
  query: string,
) => string | { readonly problem: string } | { readonly text: string; readonly notice: string };

/** Selectors that look into the text, by name. */
const SEARCHES: Readonly<Record<'lines' | 'json_path' | 'grep' | 'relevant', Search>> = {
  lines(text, argument, limit) {
    const range = /^(\d{1,9})?\s*(-)?\s*(\d{1,9})?$/.exec(argument);
    const [, first, dash, last] = range ?? [];
    if (range === null || (first === undefined && last === undefined))
      return { problem: 'a range such as 10-40, 10- or -40 is missing' };
    const lines = new Lines(text);
    const start = Math.max(1, Number(first ?? 1));
    const end = Math.min(lines.count, dash === undefined ? start : Number(last ?? lines.count));
    if (end < start) return { problem: `the result has ${lines.count} lines` };
    return numberedLines(lines, upTo(start - 1, end, limit), limit);
  },
  json_path(text, argument, limit) {
    if (text.length > MAX_JSON) return { problem: 'the result is too large to be read as JSON' };
    const { values, isPartial } = queryJson(parseJson(text), argument);
    if (values.length === 0) return { problem: 'the path leads to no value' };
    const shown: string[] = [];
    let used = 0;
    for (const value of values) {
      const line = typeof value === 'string' && values.length === 1 ? value : showJson(value);
      shown.push(line);
      used += line.length + 1;
      if (used > limit) break;
    }
    const found = firstCharacters(shown.join('\n') + (isPartial ? '\n…' : ''), limit);
    const notice = `the path leads to too many values; ${values.length} of them were taken`;
    return isPartial ? { text: found, notice } : found;
  },
  grep(text, argument, limit) {
    const [, flags, pattern] = /^(?:\(\?(i)\))?(.*)$/su.exec(argument)!;
    if (pattern === undefined || pattern === '') return { problem: 'the pattern is missing' };
    const { test } = compileLinePattern(pattern, flags === 'i');
    const lines = new Lines(text);
    const wanted = new Set<number>();
    let room = limit;
    for (let at = 0, hits = 0; at < lines.count && hits < MAX_MATCHES && room > 0; at++) {
      if (!test(lines.line(at))) continue;
      hits += 1;
      const last = Math.min(lines.count - 1, at + CONTEXT_LINES);
      for (let near = Math.max(0, at - CONTEXT_LINES); near <= last; near++) {
        if (!wanted.has(near)) room -= lines.line(near).length + 1;
        wanted.add(near);
      }
    }
    if (wanted.size === 0) return { problem: 'no line matches' };
    return numberedLines(lines, [...wanted], limit);
  },
  relevant(text, argument, limit, query) {
    const found = relevantLines(text, argument === '' ? query : argument, limit);
    return found === '' ? { problem: 'no word of the step occurs' } : found;
  },
};

/** Numbers from `start`, as many as could be shown. */
function upTo(start: number, end: number, most: number): number[] {
  return Array.from({ length: Math.min(end - start, most + 1) }, (_, at) => start + at);
}

function parseJson(text: string): unknown {
  const read = readJson(text);
  if (read.kind === 'json') return read.value;
  throw new LoadoutError('bad-json', 'the result is not JSON');
}

/** Writing is recursive, and a value can be nested deeper than the stack. */
function showJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new LoadoutError('bad-json', 'the value is nested too deeply to be shown');
  }
}

/** Lines in a passage: enough to read a hit in its surroundings. */
const PASSAGE_LINES = 6;
/** A word that occurs everywhere says little, and finding all its passages costs time. */
const MAX_PASSAGES = 2_000;

/** How many of the best passages in a row may be too long for the room that is left. */
const MAX_MISSES = 16;

/** A passage by its number, with the weight of the query words in it. */
interface Passage {
  readonly at: number;
  readonly score: number;
}

/** The passages of a text that answer best to a query, in the order of the text; empty when no word occurs. */
function relevantLines(text: string, query: string, limit: number): string {
  const lines = new Lines(text);
  const lower = lowerInPlace(text);
  const scores = new Map<number, number>();
  for (const word of queryWords(query)) {
    const passages = passagesWith(lines, lower, word);
    // rare words weigh more
    const weight = Math.log(1 + lines.count / PASSAGE_LINES / Math.max(1, passages.size));
    for (const passage of passages) scores.set(passage, (scores.get(passage) ?? 0) + weight);
  }
  const best = [...scores]
    .map(([at, score]): Passage => ({ at, score }))
    .sort((one, other) => other.score - one.score || one.at - other.at);
  return fill(lines, best, limit);
}

/** A second occurrence in a passage adds nothing, so the search continues after it. */
function passagesWith(lines: Lines, lower: string, word: string): Set<number> {
  const found = new Set<number>();
  for (let at = lower.indexOf(word); at !== -1 && found.size < MAX_PASSAGES; ) {
    const passage = Math.floor(lines.lineAt(at) / PASSAGE_LINES);
    found.add(passage);
    const next = lines.startOf((passage + 1) * PASSAGE_LINES);
    at = next === null ? -1 : lower.indexOf(word, next);
  }
  return found;
}

/** The best passages that fit, in the order of the text. */
function fill(lines: Lines, best: readonly Passage[], limit: number): string {
  const chosen: number[] = [];
  let used = 0;
  let misses = 0;
  for (const { at } of best) {
    if (misses >= MAX_MISSES) break;
    const wanted = linesOf(lines, at);
    // four more characters for a gap before and after
    const cost = numberedLength(lines, wanted) + 4;
    if (used + cost > limit) {
      misses += 1;
      continue;
    }
    used += cost;
    chosen.push(...wanted);
  }
  if (chosen.length > 0)
    return numberedLines(
      lines,
      chosen.sort((one, other) => one - other),
      limit,
    );
  return best[0] === undefined ? '' : numberedLines(lines, linesOf(lines, best[0].at), limit);
}

/** The numbers of the lines of a passage; the last one may be shorter. */
function linesOf(lines: Lines, passage: number): number[] {
  const first = passage * PASSAGE_LINES;
  return Array.from({ length: Math.min(PASSAGE_LINES, lines.count - first) }, (_, line) => first + line);
}

/** A text by its lines, without making each of them a string before it is needed. */
class Lines {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    // a line end at the very end of the text does not begin another line
    if (text !== '' && this.#starts.at(-1) === text.length) this.#starts.pop();
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Where a line begins; null after the last. */
  startOf(at: number): number | null {
    return this.#starts[at] ?? null;
  }

  /** From 0; without its line end. */
  line(at: number): string {
    const start = this.#starts[at]!;
    return this.text.slice(start, start + this.lengthOf(at));
  }

  /** Without its line end. */
  lengthOf(at: number): number {
    const end = this.#starts[at + 1] ?? this.text.length + (this.text.endsWith('\n') ? 0 : 1);
    return end - 1 - this.#starts[at]!;
  }

  /** The number of the line that holds a character. */
  lineAt(offset: number): number {
    let low = 0;
    let high = this.count - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** How long `numberedLines` gets for lines that follow each other, without writing them. */
function numberedLength(lines: Lines, wanted: readonly number[]): number {
  return wanted.reduce((sum, at) => sum + `${at + 1}: `.length + lines.lengthOf(at) + 1, -1);
}

const GAP = '…';

/** Lines with their numbers, gaps marked, as many as fit the limit. The first is cut when not even it fits. */
function numberedLines(lines: Lines, wanted: readonly number[], limit: number): string {
  const shown: string[] = [];
  let used = 0;
  let before: number | null = null;
  for (const at of wanted) {
    const isGap = before !== null && at !== before + 1;
    const entry = `${isGap ? `${GAP}\n` : ''}${at + 1}: ${lines.line(at)}`;
    const cost = entry.length + (shown.length > 0 ? 1 : 0);
    if (used + cost > limit) {
      if (shown.length === 0) shown.push(firstCharacters(entry, limit));
      break;
    }
    shown.push(entry);
    used += cost;
    before = at;
  }
  return shown.join('\n');
}

/** Of a query. More words make every passage look alike. */
const MAX_WORDS = 32;
const WORD = /[\p{L}\p{N}_]+/gu;

/** The words of a task worth looking for, lower case, each once, in order. */
export function queryWords(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.slice(0, 20_000).matchAll(WORD)) {
    for (const part of wordParts(word)) {
      if (part.length > 1 && !isStopWord(part)) words.add(part);
      if (words.size >= MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

/** Lower case with every character in its place; a few letters change their length, and then only ASCII changes. */
function lowerInPlace(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}

/** Halves of surrogate pairs. */
const isHighHalf = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLowHalf = (code: number) => code >= 0xdc00 && code < 0xe000;

/** At most this many characters from the start; a pair is never split. */
export const firstCharacters = (text: string, limit: number): string =>
  cutToCharacters(text, Math.max(0, limit));

/** The same from the end. */
export function lastCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return '';
  const start = text.length - Math.floor(limit);
  const splits = isHighHalf(text.charCodeAt(start - 1)) && isLowHalf(text.charCodeAt(start));
  return text.slice(splits ? start + 1 : start);
}

/** Beginning and end, with a count of the characters between them; the beginning gets the larger part. */
function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const gap = (left: number) => `\n[… ${left} characters …]\n`;
  const room = limit - gap(text.length).length;
  if (room < 2) return firstCharacters(text, limit);
  const head = firstCharacters(text, Math.ceil(room * 0.6));
  const tail = lastCharacters(text, room - head.length);
  return head + gap(text.length - head.length - tail.length) + tail;
}
