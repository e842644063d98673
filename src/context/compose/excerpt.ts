import type { LineSpan } from '../../model/context-pack.ts';
import { isStatement } from '../../model/parsed-file.ts';
import { docsInside, longDocs, type SymbolDefinition } from '../../model/symbol.ts';
import { type ContentSegment, type LaidOutContent, layOutSegments } from '../render/index.ts';
import type { ItemSource } from './source.ts';

/** Leaving out fewer lines than this saves nothing, because the mark costs as much. */
const SMALLEST_GAP = 2;
/** Of the header of what encloses an excerpt, and of the comment above it. */
const MAX_HEADER = 6;
const MAX_COMMENT = 12;
const COMMENT_LINE = /^\s*(?:\/\/|\/\*|\*|#(?!include|define|if|end)|--|;;|"""|'''|<!--|@[\w.]+|\[<?\w)/;

/** The same without what only looks like a comment, such as a private field `#name`. */
const TRUE_COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?=[\s!#[]|$)|--|;;|"""|'''|<!--|@[\w.]+|\[<?\w)/;

interface Excerpt extends LaidOutContent {
  readonly shownLines: number;
}

/**
 * `closed`: a definition that is cut gets a mark of its own for its rest, comments are whole or not there, and headers
 * are included only where the shown lines name them. `open` is the style of filled packages, whose bytes stay the same.
 */
type ExcerptStyle = 'closed' | 'open';

/** Some lines of a file with the lines needed to understand them; a line names what is left out. */
export function excerptOf(source: ItemSource, wanted: readonly LineSpan[], style: ExcerptStyle): Excerpt {
  const isClosed = style === 'closed';
  const shown = createLineSet(source.lines.length);
  // Long doc comments take the room of code.
  const docs = isClosed ? longDocs(source.symbols) : [];
  for (const { startLine, endLine } of wanted) {
    const first = isClosed ? wholeCommentStart(source, startLine) : commentStart(source, startLine);
    shown.add(first, isClosed ? endBeforeComment(source, startLine, endLine) : endLine);
    for (const doc of docsInside(docs, { startLine, endLine })) shown.remove(doc);
    for (const symbol of enclosing(source.symbols, startLine)) {
      const last = headerLastLine(symbol);
      shown.add(symbol.startLine, Math.min(last, symbol.startLine + MAX_HEADER - 1));
    }
  }
  for (const { startLine, endLine } of importsOf(source, shown, isClosed)) shown.add(startLine, endLine);
  closeSmallGaps(source, shown);
  const segments = segmentsOf(source, shown.spans());
  const { content, lineRuns } = layOutSegments(isClosed ? segments.flatMap(closedAt(source)) : segments);
  return { content, lineRuns, shownLines: shown.size() };
}

/** Definitions around a line, other than one that begins there. */
function enclosing(symbols: readonly SymbolDefinition[], line: number): SymbolDefinition[] {
  return symbols.filter(({ startLine, endLine }) => startLine < line && line <= endLine);
}

function headerLastLine({ startLine, signature }: SymbolDefinition): number {
  return startLine + signature.trimEnd().split('\n').length - 1;
}

function commentStart({ lines }: ItemSource, line: number): number {
  let first = line;
  while (first > 1 && line - first < MAX_COMMENT && COMMENT_LINE.test(lines[first - 2]!)) first--;
  return first;
}

/** Above a line: all of its comment, or nothing of one that is too long. */
function wholeCommentStart({ lines }: ItemSource, line: number): number {
  let first = line;
  while (first > 1 && TRUE_COMMENT.test(lines[first - 2]!)) first--;
  return line - first > MAX_COMMENT ? line : first;
}

/** If the shown lines end inside a comment, the end moves before the comment. */
function endBeforeComment({ lines }: ItemSource, startLine: number, endLine: number): number {
  const isComment = (line: number) => TRUE_COMMENT.test(lines[line - 1] ?? '');
  if (!isComment(endLine) || !isComment(endLine + 1)) return endLine;
  let last = endLine;
  while (last > startLine && isComment(last)) last--;
  return isComment(last) ? endLine : last;
}

/** Divides a mark that begins inside a definition and continues after it: first the rest of the definition. */
function closedAt({ lines, symbols }: ItemSource): (segment: ContentSegment) => ContentSegment[] {
  return (segment) => {
    if (segment.kind === 'lines') return [segment];
    const { startLine, endLine } = segment;
    const cut = innermost(symbols, startLine - 1);
    if (cut === null || cut.endLine < startLine || cut.endLine >= endLine) return [segment];
    const rest = lines.slice(cut.endLine, endLine);
    if (rest.every((line) => line.trim() === '')) return [{ ...segment, names: [], restOf: cut.name }];
    return [
      { ...segment, endLine: cut.endLine, names: [], restOf: cut.name },
      elided(lines, symbols, cut.endLine + 1, endLine),
    ];
  };
}

/** The smallest definition that holds a line and the line after it. */
function innermost(symbols: readonly SymbolDefinition[], line: number): SymbolDefinition | null {
  return symbols.reduce<SymbolDefinition | null>((best, symbol) => {
    const isAround = symbol.startLine <= line && symbol.endLine > line;
    return isAround && (best === null || symbol.startLine >= best.startLine) ? symbol : best;
  }, null);
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
    if (startLine <= endLine) segments.push(elided(lines, symbols, startLine, endLine));
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

function elided(
  lines: readonly string[],
  symbols: readonly SymbolDefinition[],
  startLine: number,
  endLine: number,
): ContentSegment & { readonly kind: 'elided' } {
  const first = lines.slice(startLine - 1, endLine).find((line) => line.trim() !== '') ?? '';
  const indent = /^[ \t]*/.exec(first)![0];
  return { kind: 'elided', startLine, endLine, names: namesWithin(symbols, startLine, endLine), indent };
}

/** Definitions that begin there, without those inside another of them. */
function namesWithin(symbols: readonly SymbolDefinition[], first: number, last: number): string[] {
  const begins = ({ startLine }: SymbolDefinition) => startLine >= first && startLine <= last;
  const names = symbols
    .filter((symbol) => begins(symbol) && !(symbol.container >= 0 && begins(symbols[symbol.container]!)))
    .map(({ name }) => name);
  return [...new Set(names)];
}

const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** A header brings in names that it does not spell: all of them, within reason. */
const MAX_INCLUDES = 12;
const MAX_IMPORT = 12;

/** Words of import statements that are not names. */
const SYNTAX = new Set(
  'import from as use using require include package const let var type typeof static export default mod pub crate self super this'.split(
    ' ',
  ),
);

/** The import statements that shown lines make use of. */
function importsOf({ lines, imports }: ItemSource, shown: LineSet, onlyNamed: boolean): LineSpan[] {
  if (imports.length === 0) return [];
  const used = new Set<string>();
  for (const { startLine, endLine } of shown.spans())
    for (const line of lines.slice(startLine - 1, endLine))
      for (const word of line.match(WORDS) ?? []) used.add(word);
  let includes = 0;
  return imports
    .filter(isStatement)
    .filter(({ kind, line, endLine }) => {
      if (shown.has(line) || endLine - line >= MAX_IMPORT) return false;
      if (kind === 'include' && !onlyNamed) return includes++ < MAX_INCLUDES;
      return lines
        .slice(line - 1, endLine)
        .some((text) => (text.match(WORDS) ?? []).some((word) => !SYNTAX.has(word) && used.has(word)));
    })
    .map(({ line, endLine }) => ({ startLine: line, endLine }));
}

/** Lines of a file that are to be shown; 1-based. */
interface LineSet {
  add(first: number, last: number): void;
  remove(lines: LineSpan): void;
  has(line: number): boolean;
  /** How many. */
  size(): number;
  /** In order, as long as can be. */
  spans(): LineSpan[];
}

function createLineSet(lineCount: number): LineSet {
  const marks = new Uint8Array(lineCount + 2);
  let marked = 0;
  return {
    add(first, last) {
      for (let line = Math.max(1, first); line <= Math.min(last, lineCount); line++) {
        if (marks[line] === 0) marked++;
        marks[line] = 1;
      }
    },
    remove({ startLine, endLine }) {
      for (let line = startLine; line <= Math.min(endLine, lineCount); line++) {
        if (marks[line] === 1) marked--;
        marks[line] = 0;
      }
    },
    has: (line) => marks[line] === 1,
    size: () => marked,
    spans() {
      const spans: LineSpan[] = [];
      for (let line = 1; line <= lineCount; line++) {
        if (marks[line] === 0) continue;
        const startLine = line;
        while (marks[line + 1] === 1) line++;
        spans.push({ startLine, endLine: line });
      }
      return spans;
    },
  };
}
