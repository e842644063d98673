import type { ContextItem, LineRun } from '../../model/context-pack.ts';
import { inlineName } from '../../redact/index.ts';

// Small texts that several formats share: line numbers, excerpts with their marks, lists of symbols, numbers.

/** The number of each line; null for lines that Loadout added. */
function numbersOf(runs: readonly LineRun[]): (number | null)[] {
  return runs.flatMap(({ startLine, count }) =>
    Array.from({ length: count }, (_, at) => (startLine === null ? null : startLine + at)),
  );
}

/** The CR of a CRLF belongs to the line end. Left alone it would be marked as a hidden character. */
export function withoutLastLineEnd(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** The content without its last line end. With `lineNumbers`, each line begins with its number in the file. */
export function itemText({ content, lineRuns }: ContextItem, lineNumbers: boolean): string {
  const text = withoutLastLineEnd(content);
  if (!lineNumbers || lineRuns.length === 0 || text === '') return text;
  const numbers = numbersOf(lineRuns);
  const width = String(numbers.reduce<number>((most, one) => Math.max(most, one ?? 0), 0)).length;
  return text
    .split('\n')
    .map((line, at) => `${String(numbers[at] ?? '').padStart(width)}| ${line}`)
    .join('\n');
}

const MAX_RANGES = 8;

/** The lines of the file that an excerpt shows: `10-42, 80`. */
export function shownLines({ lineRuns }: ContextItem): string {
  const ranges = lineRuns.flatMap(({ startLine, count }) => {
    if (startLine === null || count === 0) return [];
    return [count === 1 ? `${startLine}` : `${startLine}-${startLine + count - 1}`];
  });
  const more = ranges.length - MAX_RANGES;
  return [...ranges.slice(0, MAX_RANGES), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** A piece of an excerpt: lines as they are, or a mark for lines that are left out. */
export type ContentSegment =
  | { readonly kind: 'lines'; readonly startLine: number; readonly text: string }
  | {
      readonly kind: 'elided';
      readonly startLine: number;
      readonly endLine: number;
      /** The definitions in these lines. */
      readonly names: readonly string[];
      /** White space in front of the mark. */
      readonly indent?: string;
      /** The definition whose end these lines are. */
      readonly restOf?: string;
    };

/** An excerpt as text. */
export interface LaidOutContent {
  readonly content: string;
  readonly lineRuns: readonly LineRun[];
}

const MAX_NAMES = 8;

/** The mark for lines that are left out: `... 118 lines: parseHeaders, writeBody ...`, `... 9 lines, the rest of a ...` */
export function elisionLine(lines: number, names: readonly string[], restOf?: string): string {
  const shown = names.slice(0, MAX_NAMES).map(inlineName);
  if (names.length > MAX_NAMES) shown.push(`${names.length - MAX_NAMES} more`);
  const rest = restOf === undefined ? '' : `, the rest of ${inlineName(restOf)}`;
  const list = shown.length > 0 ? `: ${shown.join(', ')}` : rest;
  return `... ${lines} ${lines === 1 ? 'line' : 'lines'}${list} ...`;
}

/** Joins the pieces of an excerpt, and records which line of the file each line shows. */
export function layOutSegments(segments: readonly ContentSegment[]): LaidOutContent {
  const texts: string[] = [];
  const lineRuns: LineRun[] = [];
  for (const segment of segments) {
    if (segment.kind === 'elided') {
      const { startLine, endLine, names, indent = '', restOf } = segment;
      texts.push(indent + elisionLine(endLine - startLine + 1, names, restOf));
      lineRuns.push({ startLine: null, count: 1 });
    } else {
      const text = withoutLastLineEnd(segment.text);
      texts.push(text);
      lineRuns.push({ startLine: segment.startLine, count: text.split('\n').length });
    }
  }
  return { content: texts.join('\n'), lineRuns };
}

/** `42000` as `42,000`. It does not depend on the locale, so the bytes are the same on every machine. */
export function groupedNumber(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

const MAX_SYMBOLS = 8;

/** The best symbols of an item, each once: `Foo.bar, baz`. */
export function symbolList({ symbols }: Pick<ContextItem, 'symbols'>): string {
  return [...new Set(symbols)].slice(0, MAX_SYMBOLS).map(inlineName).join(', ');
}
