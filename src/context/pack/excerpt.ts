import type { LineSpan } from '../../model/context-pack.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { type ContentSegment, type LaidOutContent, layOutSegments } from '../render/lay-out-segments.ts';
import { importsOf } from './imports-of.ts';
import type { ItemSource } from './item-source.ts';
import { createLineSet, type LineSet } from './line-set.ts';

/** Leaving out fewer lines than this saves nothing: the line that says so costs as much. */
const SMALLEST_GAP = 2;
/** Of the header of what encloses an excerpt, and of the comment above it. */
const LONGEST_HEADER = 6;
const LONGEST_COMMENT = 12;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|end)|--|;;|"""|'''|<!--|@[\w.]+|\[<?\w)/;

export interface Excerpt extends LaidOutContent {
  readonly shownLines: number;
}

/** Some lines of a file with what they need to be understood; the rest is named where it stood. */
export function excerptOf(source: ItemSource, wanted: readonly LineSpan[]): Excerpt {
  const shown = createLineSet(source.lines.length);
  for (const { startLine, endLine } of wanted) {
    shown.add(commentStart(source, startLine), endLine);
    for (const symbol of enclosing(source.symbols, startLine)) {
      const last = headerLastLine(symbol);
      shown.add(symbol.startLine, Math.min(last, symbol.startLine + LONGEST_HEADER - 1));
    }
  }
  for (const { startLine, endLine } of importsOf(source, shown)) shown.add(startLine, endLine);
  closeSmallGaps(source, shown);
  const { content, lineRuns } = layOutSegments(segmentsOf(source, shown.spans()));
  return { content, lineRuns, shownLines: shown.size() };
}

/** Definitions around a line, other than one that begins there. */
function enclosing(symbols: readonly SymbolDefinition[], line: number): SymbolDefinition[] {
  return symbols.filter(({ startLine, endLine }) => startLine < line && line <= endLine);
}

export function headerLastLine({ startLine, signature }: SymbolDefinition): number {
  return startLine + signature.trimEnd().split('\n').length - 1;
}

function commentStart({ lines }: ItemSource, line: number): number {
  let first = line;
  while (first > 1 && line - first < LONGEST_COMMENT && COMMENT_LINE.test(lines[first - 2]!)) first--;
  return first;
}

function closeSmallGaps({ lines }: ItemSource, shown: LineSet): void {
  let last = 0;
  for (const { startLine, endLine } of shown.spans()) {
    const between = lines.slice(last, startLine - 1);
    const worth = between.filter((line) => line.trim() !== '').length;
    if (between.length > 0 && worth < SMALLEST_GAP) shown.add(last + 1, startLine - 1);
    last = endLine;
  }
  if (lines.slice(last).filter((line) => line.trim() !== '').length < SMALLEST_GAP)
    shown.add(last + 1, lines.length);
}

function segmentsOf({ lines, symbols }: ItemSource, spans: readonly LineSpan[]): ContentSegment[] {
  const segments: ContentSegment[] = [];
  const elide = (startLine: number, endLine: number) => {
    if (startLine > endLine) return;
    const first = lines.slice(startLine - 1, endLine).find((line) => line.trim() !== '') ?? '';
    const indent = /^[ \t]*/.exec(first)![0];
    segments.push({
      kind: 'elided',
      startLine,
      endLine,
      names: namesWithin(symbols, startLine, endLine),
      indent,
    });
  };
  let next = 1;
  for (const { startLine, endLine } of spans) {
    elide(next, startLine - 1);
    segments.push({ kind: 'lines', startLine, text: `${lines.slice(startLine - 1, endLine).join('\n')}\n` });
    next = endLine + 1;
  }
  elide(next, lines.length);
  return segments;
}

/** What begins there and does not stand inside something else that does. */
function namesWithin(symbols: readonly SymbolDefinition[], first: number, last: number): string[] {
  const begins = ({ startLine }: SymbolDefinition) => startLine >= first && startLine <= last;
  const names = symbols
    .filter((symbol) => begins(symbol) && !(symbol.container >= 0 && begins(symbols[symbol.container]!)))
    .map(({ name }) => name);
  return [...new Set(names)];
}
