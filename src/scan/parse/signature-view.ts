// A file as signatures: imports and headers without bodies, with line numbers for everything that is left out.

import type { ParsedFile } from '../../model/parsed-file.ts';
import { type ImportReference, isStatement } from '../../model/parsed-file.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';

/** Marks lines that were left out. A line number or a range follows. */
const ELIDED = '⋮';

/** A closing line such as `}`, `});` or `end` is kept, so that nesting stays readable. */
const CLOSING_LINE = /^\s*(?:[)\]}>;,]+[\s\w*]{0,60}[;,]?|end\b[.\w]*)\s*;?\s*$/;

/** Lines longer than four times this are cut. */
const MAX_INLINE_LINE = 200;

/** The mark for lines that are left out. */
function range(first: number, last: number): string {
  return first === last ? `${ELIDED} ${first}` : `${ELIDED} ${first}-${last}`;
}

/** Writes the lines of a view in the order of the file. `#next` is the first line that is not written yet. */
class View {
  readonly out: string[] = [];
  readonly #text: string;
  readonly #lines: LineIndex;
  readonly #symbols: readonly SymbolDefinition[];
  readonly #children: readonly number[][];
  readonly #imports: readonly ImportReference[];
  #nextImport = 0;
  #next = 1;

  constructor(text: string, symbols: readonly SymbolDefinition[], imports: readonly ImportReference[]) {
    this.#imports = imports;
    this.#text = text;
    this.#lines = new LineIndex(text);
    this.#symbols = symbols;
    const children: number[][] = symbols.map(() => []);
    symbols.forEach((symbol, index) => {
      if (symbol.container >= 0) children[symbol.container]!.push(index);
    });
    this.#children = children;
  }

  #line(number: number): string {
    const { starts } = this.#lines;
    return this.#text
      .slice(starts[number - 1], (starts[number] ?? this.#text.length + 1) - 1)
      .replace(/\r$/, '');
  }

  /** Marks the lines between the last shown one and this one, unless they are blank. */
  #gapBefore(line: number, indent: string): void {
    for (let at = this.#next; at < line; at++) {
      if (this.#line(at).trim() === '') continue;
      this.out.push(`${indent}${range(at, line - 1)}`);
      break;
    }
    this.#next = Math.max(this.#next, line);
  }

  /** Writes a text for the lines `first` to `last`. */
  #show(first: number, last: number, content: string): void {
    this.#gapBefore(first, /^\s*/.exec(content)![0]);
    this.out.push(content);
    this.#next = Math.max(this.#next, last + 1);
  }

  /** Without white space before the body, which may include a line break. */
  #headerOf({ start, headerEnd }: SymbolDefinition): string {
    return this.#text.slice(start, headerEnd).trimEnd();
  }

  /** Whole lines, as they are. */
  whole(first: number, last: number): void {
    for (let line = Math.max(first, this.#next); line <= last; line++)
      this.#show(line, line, this.#line(line));
  }

  /** Shows the imports before a line. Imports inside a body that is left out are left out, too. */
  importsBefore(line: number): void {
    for (; this.#nextImport < this.#imports.length; this.#nextImport++) {
      const statement = this.#imports[this.#nextImport]!;
      if (statement.line > line) break;
      if (statement.line >= this.#next) this.whole(statement.line, statement.endLine);
    }
  }

  symbol(index: number): void {
    const symbol = this.#symbols[index]!;
    this.importsBefore(symbol.startLine);
    // Another name on lines that are shown already, as in `const { a, b } = …`.
    if (symbol.endLine < this.#next) return;
    const headerLast = this.#lines.lineAt(symbol.start + this.#headerOf(symbol).length - 1);
    const bodyLast = this.#lines.lineAt(Math.max(symbol.start, symbol.bodyEnd - 1));
    const children = this.#children[index]!;
    if (children.length > 0) this.#container(symbol, headerLast, children);
    else if (bodyLast <= headerLast) this.whole(symbol.startLine, symbol.endLine);
    else this.#leaf(symbol, headerLast);
  }

  /** A definition with definitions inside: its header, its children, its closing line. */
  #container(symbol: SymbolDefinition, headerLast: number, children: readonly number[]): void {
    // An opening bracket on a line of its own belongs to the header.
    const opened = '{(['.includes(this.#text[symbol.headerEnd] ?? ' ');
    this.whole(symbol.startLine, opened ? this.#lines.lineAt(symbol.headerEnd) : headerLast);
    for (const child of children) this.symbol(child);
    const closing = this.#line(symbol.endLine);
    if (symbol.endLine >= this.#next && CLOSING_LINE.test(closing))
      this.#show(symbol.endLine, symbol.endLine, closing);
    else if (symbol.endLine >= this.#next)
      this.#gapBefore(symbol.endLine + 1, `${/^\s*/.exec(this.#line(symbol.startLine))![0]}  `);
  }

  /** `async run(ctx: Ctx): Promise<void> { ⋮ 12-30 }` */
  #leaf(symbol: SymbolDefinition, headerLast: number): void {
    const first = Math.max(symbol.startLine, this.#next);
    if (first < headerLast) this.whole(first, headerLast - 1);
    const header = this.#text.slice(this.#lines.starts[headerLast - 1], symbol.headerEnd).trimEnd();
    const body = this.#text.slice(symbol.headerEnd, symbol.bodyEnd);
    const bracket = /^[{([]/.exec(body)?.[0] ?? '';
    const tail = this.#text.slice(symbol.bodyEnd, symbol.end).trim();
    const close = bracket && tail.length < 40 && !tail.includes('\n') ? ` ${body.at(-1)}${tail}` : '';
    const bodyFirst = this.#lines.lineAt(symbol.headerEnd);
    const open = bracket ? ` ${bracket}` : '';
    const shown = `${header}${open} ${range(bodyFirst === headerLast ? headerLast + 1 : bodyFirst, symbol.endLine)}${close}`;
    this.#show(headerLast, symbol.endLine, shown);
  }

  /** The text of the view, with a mark for the lines after the last shown one. */
  finish(lineCount: number): string {
    this.#gapBefore(lineCount + 1, '');
    return this.out
      .map((line) => (line.length > 4 * MAX_INLINE_LINE ? `${line.slice(0, 4 * MAX_INLINE_LINE)}…` : line))
      .join('\n');
  }
}

/**
 * A file without its bodies: imports, and the header of every definition, nested as in the source. Each part
 * left out is named by its line numbers.
 */
export function signatureView(text: string, parsed: ParsedFile): string {
  const imports = parsed.imports.filter(isStatement);
  const view = new View(text, parsed.symbols, imports);
  parsed.symbols.forEach(({ container }, index) => {
    if (container < 0) view.symbol(index);
  });
  view.importsBefore(Number.POSITIVE_INFINITY);
  return view.finish(parsed.lineCount);
}

/** Line starts of a text, for turning offsets into 1-based line numbers. */
export class LineIndex {
  readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  /** Lines with content: a final line break starts no further line. */
  countFor(text: string): number {
    if (text.length === 0) return 0;
    return text.endsWith('\n') ? this.starts.length - 1 : this.starts.length;
  }

  lineAt(offset: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

/** A selection of a file's symbols. Children of a dropped symbol move up to the next kept one. */
export function keepSymbols(
  symbols: readonly SymbolDefinition[],
  kept: ReadonlySet<number>,
): SymbolDefinition[] {
  const places = new Map<number, number>();
  const list: SymbolDefinition[] = [];
  symbols.forEach((symbol, index) => {
    let container = symbol.container;
    while (container >= 0 && !kept.has(container)) container = symbols[container]!.container;
    if (!kept.has(index)) return;
    places.set(index, list.length);
    list.push({ ...symbol, container: places.get(container) ?? -1 });
  });
  return list;
}
