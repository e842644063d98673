// The places of a brief: definitions of all ranked files in one list, and the text of each.
import type { LineSpan, RankedFile } from '../../model/ranking.ts';
import { docsInside, longDocs, type SymbolDefinition } from '../../model/symbol.ts';
import { inlineName, inlinePath, markHidden, shownName } from '../../redact/index.ts';
import type { ItemSource, SourceReader } from '../compose/index.ts';

/** Lines of a file. */
export interface PlaceSpan extends LineSpan {
  readonly path: string;
}

/** A definition, or lines of one, that the task is likely about. */
export interface BriefPlace extends PlaceSpan {
  /** With what encloses it: `Foo.bar`; null for lines outside of any definition. */
  readonly name: string | null;
  /** 0..1: how likely a change for the task touches it. */
  readonly likelihood: number;
  /** The task mentions its name. */
  readonly isMentioned: boolean;
  /** In a few words, for people and agents. */
  readonly why: string;
}

/** A task rarely needs lines outside of definitions. */
const LIKELIHOOD_OF_LINES = 0.02;
/** Words that a reason names. */
const MAX_WORDS = 3;

/** The places of all files, likeliest first. */
export function placesOf(files: readonly RankedFile[]): BriefPlace[] {
  const places = files.flatMap(({ path, symbols, blocks, spans, combinedScore }): BriefPlace[] => {
    if (symbols.length === 0 && blocks.length === 0)
      return spans.slice(0, 1).map((span) => ({
        ...span,
        path,
        name: null,
        likelihood: LIKELIHOOD_OF_LINES * combinedScore,
        isMentioned: false,
        why: 'best match in a file without definitions',
      }));
    const outside = blocks.map((block) => ({ ...block, name: null, isMentioned: false }));
    return [...symbols, ...outside].map((one) => {
      const { name, startLine, endLine, likelihood, isMentioned, words } = one;
      return { path, name, startLine, endLine, likelihood, isMentioned, why: reason(isMentioned, words) };
    });
  });
  return places.sort(likeliestFirst);
}

export function likeliestFirst(a: BriefPlace, b: BriefPlace): number {
  return b.likelihood - a.likelihood || inFileOrder(a, b);
}

export function inFileOrder(a: BriefPlace, b: BriefPlace): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.startLine - b.startLine;
}

function reason(isMentioned: boolean, words: readonly string[]): string {
  if (isMentioned) return 'named in the task';
  return words.length === 0
    ? 'likely from its location'
    : words
        .slice(0, MAX_WORDS)
        .map((word) => `“${word}”`)
        .join(', ');
}

/** `src/a.ts:10-42 Foo.bar`: the line that stands for a place. */
export function placeLine({ path, startLine, endLine, name }: BriefPlace): string {
  return `${inlinePath(shownName(path))}:${rangeOf(startLine, endLine)}${name === null ? '' : ` ${inlineName(name)}`}`;
}

export function isOverlapping(a: PlaceSpan, b: PlaceSpan): boolean {
  return a.path === b.path && a.startLine <= b.endLine && b.startLine <= a.endLine;
}

export function rangeOf(startLine: number, endLine: number): string {
  return startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
}

/** The lines of a header that are shown above a stretch of a long definition. */
const MAX_HEADER = 3;
/** A line this long is data or minified. */
const MAX_LINE = 300;

/** The code of a place, and the lines of it that are left out. */
export interface PlaceBody {
  readonly code: string;
  readonly omitted: readonly LineSpan[];
}

/**
 * The code of a place with line numbers, without its long doc comments. A stretch of a long definition comes with the
 * header and the last line of the definition, so that a reader sees where it begins and ends. Null when the file has
 * changed since it was ranked.
 */
export function bodyOf(sources: SourceReader, place: BriefPlace): PlaceBody | null {
  const source = sources.read(place.path);
  if (source === null || source.isStale || place.endLine > source.lines.length) return null;
  const around = definitionAround(source, place);
  const lines: string[] = [];
  if (around !== null && around.startLine < place.startLine) {
    const header = Math.min(headerLast(around), place.startLine - 1);
    lines.push(...numbered(source, around.startLine, header));
    if (header < place.startLine - 1) lines.push('...');
  }
  const omitted = docsInside(longDocs(source.symbols), place);
  lines.push(...withoutLines(source, place, omitted));
  if (around !== null && around.endLine > place.endLine) {
    if (around.endLine > place.endLine + 1) lines.push('...');
    lines.push(...numbered(source, around.endLine, around.endLine));
  }
  return { code: lines.join('\n'), omitted };
}

/** The definition that a stretch belongs to; null for a whole definition and for lines outside of any. */
function definitionAround({ symbols }: ItemSource, { startLine, endLine, name }: BriefPlace) {
  if (name === null) return null;
  const around = symbols.findLast((one) => one.startLine <= endLine && one.endLine >= endLine);
  if (around === undefined) return null;
  return around.startLine >= startLine && around.endLine === endLine ? null : around;
}

function headerLast({ startLine, signature }: SymbolDefinition): number {
  return startLine + Math.min(signature.trimEnd().split('\n').length, MAX_HEADER) - 1;
}

function withoutLines(source: ItemSource, place: LineSpan, omitted: readonly LineSpan[]): string[] {
  const lines: string[] = [];
  let next = place.startLine;
  for (const { startLine, endLine } of omitted) {
    lines.push(...numbered(source, next, startLine - 1), '...');
    next = endLine + 1;
  }
  return [...lines, ...numbered(source, next, place.endLine)];
}

function numbered({ lines }: ItemSource, first: number, last: number): string[] {
  return lines.slice(first - 1, last).map((line, at) => {
    const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
    return `${first + at} ${markHidden(shown).text}`.trimEnd();
  });
}
