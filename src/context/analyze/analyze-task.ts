import { isFiller } from '../../model/stop-words.ts';
import type {
  Keyword,
  QuotedText,
  StackFrame,
  SymbolMention,
  TaskAnalysis,
  TaskWord,
  TaskZone,
} from '../../model/task-analysis.ts';
import { wordParts } from '../../model/word-parts.ts';
import {
  type ArgumentKinds,
  argument,
  checkArguments,
  required,
  TEXT,
  TEXTS,
} from '../../schema/check-arguments.ts';
import type { ClassifiedLine } from './classify-lines.ts';
import { pathMentions } from './path-mentions.ts';
import type { ReadFrame } from './read-frame.ts';
import { type Passage, readPassages, type TaskAddress } from './read-passages.ts';
import { backtickSpans, symbolMentions } from './symbol-mentions.ts';
import { taskAction } from './task-action.ts';
import { type DomainContext, namedPlaces, taskDomains, taskSubjects } from './task-domains.ts';
import { anyOf, hasWord, isWordUnit, wordRuns } from './word-runs.ts';

const CONTEXT_KINDS: ArgumentKinds<DomainContext> = {
  domains: argument('a Map of names to path prefixes', (value) => value instanceof Map),
  packages: TEXTS,
  named: TEXT,
};

/**
 * Reads the text of a task on its own. Nothing is looked up. Of a very long text, such as a pasted log, only
 * the head and the tail are read; `text` has all of it.
 */
export function analyzeTask(text: string, context: DomainContext = {}): TaskAnalysis {
  checkArguments('analyzeTask', { text }, { text: required(TEXT) });
  checkArguments('analyzeTask', context, CONTEXT_KINDS);
  // Split the text into passages, each with its zone.
  const { title, label, passages, addresses, fences, lines } = readPassages(limitText(text));
  const lead = passages
    .filter(({ zone }) => zone === 'lead')
    .map((passage) => passage.text)
    .join('\n');
  // Find everything that the passages name.
  const paths = pathMentions(passages, addresses);
  const symbols = symbolMentions(passages);
  const frames = stackFrames(lines);
  const quotes = quotedTexts(lines);
  const words = taskWords(passages, addresses);
  // Decide what is to be done.
  const hasTraceOrError = frames.length > 0 || lines.some(({ isError }) => isError);
  const action = taskAction({ title, label, lead, hasTraceOrError });
  return freezeDeeply({
    text,
    title,
    paths,
    symbols,
    frames,
    quotes,
    fences: [...fences],
    words,
    keywords: taskKeywords(words, symbols),
    action,
    about: taskSubjects(title, label, lead, action),
    domains: taskDomains(context, paths, frames, words),
    places: [...namedPlaces(context)],
  });
}

/** Makes plain data immutable all the way down. */
function freezeDeeply<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeDeeply(inner);
  }
  return value;
}

/** A longer text is a log: its beginning and its end say what it is about. */
const HEAD_CHARACTERS = 98_304;
const TAIL_CHARACTERS = 32_768;

/** In characters: how far a cut may move to reach a line end. */
const NEAREST_LINE_END = 2_000;

/** The part of a text that is read: all of it, or its head and its tail, cut at line ends if possible. */
function limitText(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  const headEnd = text.lastIndexOf('\n', HEAD_CHARACTERS);
  const tailFrom = text.length - TAIL_CHARACTERS;
  const tailStart = text.indexOf('\n', tailFrom);
  const head = text.slice(0, headEnd >= HEAD_CHARACTERS - NEAREST_LINE_END ? headEnd : HEAD_CHARACTERS);
  const tail = text.slice(
    tailStart !== -1 && tailStart <= tailFrom + NEAREST_LINE_END ? tailStart + 1 : tailFrom,
  );
  return `${head}\n${tail}`;
}

/** Zones where backticks mark names. */
const IN_SENTENCES: ReadonlySet<TaskZone> = new Set(['title', 'lead', 'prose']);
/** Words between one pair of backticks: `take until` is a command, more words are a statement. */
const MAX_NAMED_TOGETHER = 3;

/** Every word as written, once per zone, in order of appearance. Words of web addresses count as boilerplate. */
function taskWords(passages: readonly Passage[], addresses: readonly TaskAddress[]): TaskWord[] {
  const found: { word: string; zone: TaskZone; count: number; isCode?: true }[] = [];
  const places = new Map<TaskZone, Map<string, number>>();
  function add(text: string, zone: TaskZone): void {
    const known = places.get(zone) ?? new Map<string, number>();
    places.set(zone, known);
    for (const word of wordRuns(text)) {
      const place = known.get(word);
      if (place !== undefined) found[place]!.count++;
      else known.set(word, found.push({ word, zone, count: 1 }) - 1);
    }
    if (!IN_SENTENCES.has(zone)) return;
    for (const { start, end } of backtickSpans(text)) {
      const words = wordRuns(text.slice(start, end));
      if (words.length <= MAX_NAMED_TOGETHER)
        for (const word of words) found[known.get(word)!]!.isCode = true;
    }
  }
  for (const { text, zone } of passages) add(text, zone);
  for (const { url } of addresses) add(url, 'boilerplate');
  return found;
}

/** The weight of a word by its zone. */
const ZONE_WEIGHT: Readonly<Record<TaskZone, number>> = {
  title: 1,
  lead: 0.55,
  prose: 0.35,
  code: 0.15,
  trace: 0.12,
  boilerplate: 0.03,
};

/** Words after these are in every text and say nothing. */
const MAX_KEYWORDS = 200;

/** A part of a compound word says less than the whole word. */
const PART_WEIGHT = 0.5;

/** A word that is written like a name in code says more. */
const NAME_FACTOR = 1.6;

/** The last new word of a zone has this much less weight than the first. */
const POSITION_LOSS = 0.4;

/** Scripts without spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words by weight. It depends on the zone, the position in it, the count, and whether the word is written as a name. */
function taskKeywords(words: readonly TaskWord[], symbols: readonly SymbolMention[]): Keyword[] {
  const names = new Set<string>();
  for (const { name, qualifiers, form } of symbols) {
    if (form !== 'capitalized') for (const segment of [name, ...qualifiers]) names.add(segment);
  }
  const perZone = new Map<TaskZone, number>();
  for (const { zone } of words) perZone.set(zone, (perZone.get(zone) ?? 0) + 1);

  const weights = new Map<string, number>();
  const seen = new Map<TaskZone, number>();
  for (const { word, zone, count } of words) {
    const place = seen.get(zone) ?? 0;
    seen.set(zone, place + 1);
    const position = 1 - (POSITION_LOSS * place) / perZone.get(zone)!;
    const weight = ZONE_WEIGHT[zone] * position * (1 + Math.log(count)) * (names.has(word) ? NAME_FACTOR : 1);
    const [whole, ...parts] = wordParts(word);
    // A run without spaces is a whole sentence: only its pairs of characters are searched.
    const isSentence = parts.length > 1 && UNSPACED.test(word);
    if (whole !== undefined && !isSentence) raise(weights, whole, weight);
    for (const part of parts) raise(weights, part, isSentence ? weight : weight * PART_WEIGHT);
  }
  const best = [...weights]
    .filter(([word]) => isTelling(word))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MAX_KEYWORDS);
  const highest = best[0]?.[1] ?? 1;
  return best.map(([word, weight]) => ({ word, weight: weight / highest }));
}

function raise(weights: Map<string, number>, word: string, by: number): void {
  weights.set(word, (weights.get(word) ?? 0) + by);
}

function isTelling(word: string): boolean {
  if (isFiller(word) || /^\p{N}+$/u.test(word)) return false;
  return word.length > 1 || UNSPACED.test(word);
}

/** In lines. Code, carets and addresses may come between the frames of one trace; more text ends it. */
const WIDEST_GAP = 14;

/** The lines between two traces of a chain: what follows is the cause of the error above, or its effect. */
const CAUSE_FOLLOWS = /^(?:Caused by:|\[cause\]:|Suppressed:)/;
const EFFECT_FOLLOWS = anyOf(
  /^(?:During handling of the above|The above exception was the direct)/,
  /^(?:--- End of inner|stack (?:backtrace|traceback):|Stack trace:)/,
);
const POINTED_LINE = /^-{2,}> ?(\d{1,7})\b/;

interface Trace {
  frames: ReadFrame[];
  /** Its relation to the trace before it. An effect is placed after that trace, a cause before it. */
  link: 'none' | 'cause' | 'effect';
}

/** The frames of all traces. Depth 0 is the place where the error was thrown. */
function stackFrames(lines: readonly ClassifiedLine[]): StackFrame[] {
  const traces: Trace[] = [];
  let link: Trace['link'] = 'none';
  let broken = true;
  let gap = 0;
  for (const { frame, text, isTraceHeader, isError } of lines) {
    if (!frame) {
      gap++;
      const trimmed = isTraceHeader ? text.trim() : '';
      if (isError || (isTraceHeader && !trimmed.startsWith('...'))) broken = true;
      if (CAUSE_FOLLOWS.test(trimmed)) link = 'cause';
      else if (EFFECT_FOLLOWS.test(trimmed)) link = 'effect';
      else if (gap <= WIDEST_GAP) pointLine(traces.at(-1), text);
      continue;
    }
    const last = traces.at(-1);
    const turned = last !== undefined && last.frames[0]!.innermostLast !== frame.innermostLast;
    if (!last || broken || turned || gap > WIDEST_GAP) {
      traces.push({ frames: [frame], link: gap > WIDEST_GAP ? 'none' : link });
    } else last.frames.push(frame);
    [link, broken, gap] = ['none', false, 0];
  }
  return chains(traces).flatMap((chain) => {
    const frames = chain.flatMap(({ frames: own }) => (own[0]!.innermostLast ? own.toReversed() : own));
    return frames.map(({ path, line, symbol }, depth) => ({ path, line, symbol, depth }));
  });
}

/** Some traces print the line number below the frame: `---> 42 code`. */
function pointLine(trace: Trace | undefined, text: string): void {
  const frame = trace?.frames.at(-1);
  if (!trace || !frame || frame.line !== null) return;
  const pointed = POINTED_LINE.exec(text.trim());
  if (pointed) trace.frames[trace.frames.length - 1] = { ...frame, line: Number(pointed[1]) };
}

/** Groups the traces of each chain, the first cause first. */
function chains(traces: readonly Trace[]): Trace[][] {
  const found: Trace[][] = [];
  for (const trace of traces) {
    const chain = trace.link === 'none' ? undefined : found.at(-1);
    if (!chain) found.push([trace]);
    else if (trace.link === 'cause') chain.unshift(trace);
    else chain.push(trace);
  }
  return found;
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
]);

const MIN_LENGTH = 3;
const MAX_LENGTH = 300;

const READS_LIKE_ERROR = anyOf(
  /\b(?:error|exception|fail(?:s|ed|ure)?|panic(?:ked)?|overflow|timed out|refused|denied|no such|not found|missing)\b/i,
  /\b(?:cannot|can't|could not|couldn't|unable to|must be|not allowed|is not a|does not exist|has no attribute)\b/i,
  /\b(?:invalid|illegal|unexpected|undefined|unknown|unsupported|expected .{1,60} (?:but )?got)\b/i,
);

/** Quoted texts and error messages, in order, each once. */
function quotedTexts(lines: readonly ClassifiedLine[]): QuotedText[] {
  const found = new Map<string, boolean>();
  function add(text: string, isError: boolean): void {
    const known = found.get(text);
    if (known === undefined || (isError && !known)) found.set(text, isError);
  }
  for (const { text, kind, isError } of lines) {
    if (kind === 'blank' || kind === 'boilerplate') continue;
    const trimmed = text.trim();
    if (isError) add(errorMessage(trimmed), true);
    // Quotes in code are string literals. Only those that read like a message help to find the code.
    const mustRead = kind === 'code' || kind === 'trace';
    for (const quoted of quotedIn(trimmed)) {
      const reads = quoted.includes(' ') && READS_LIKE_ERROR.test(quoted);
      if (reads || !mustRead || (quoted.includes(' ') && wordRuns(quoted).some((word) => word.length > 2)))
        add(quoted, reads);
    }
  }
  return [...found].map(([text, isError]) => ({ text, isError }));
}

/** Without the mark that a test runner puts in front of it. */
function errorMessage(line: string): string {
  return line.replace(/^E {1,6}/, '').slice(0, MAX_LENGTH);
}

/** A quote must be closed on its line. A `'` between letters is an apostrophe. */
function quotedIn(line: string): string[] {
  const found: string[] = [];
  if (!/["'`“„‘«「]/.test(line)) return found;
  /** The next position of each closing mark. Without it, many unclosed marks would take quadratic time. */
  const next = new Map<string, number>();
  let at = 0;
  while (at < line.length) {
    const close = PAIRS.get(line[at]!);
    if (close === undefined || standsBehindWord(line, at)) {
      at++;
      continue;
    }
    let end = next.get(close) ?? -1;
    if (end <= at) {
      end = closing(line, close, at + 1);
      next.set(close, end);
    }
    if (end - at > MAX_LENGTH) {
      at++;
      continue;
    }
    const text = line.slice(at + 1, end).trim();
    const isName = close === '`' && !text.includes(' ');
    if (text.length >= MIN_LENGTH && !isName && hasWord(text)) found.push(text);
    at = end + 1;
  }
  return found;
}

/** An apostrophe, or the sign for inches. */
function standsBehindWord(line: string, at: number): boolean {
  if (line[at] === '"') return line[at - 1] !== undefined && line[at - 1]! >= '0' && line[at - 1]! <= '9';
  return line[at] === "'" && at > 0 && isWordUnit(line.charCodeAt(at - 1));
}

function closing(line: string, close: string, from: number): number {
  let end = line.indexOf(close, from);
  while (end !== -1 && close === "'" && isWordUnit(line.charCodeAt(end + 1)))
    end = line.indexOf(close, end + 1);
  return end === -1 ? Number.POSITIVE_INFINITY : end;
}
