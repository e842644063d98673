// Parses a text of any language into symbols and imports. It chooses the engine of the language, bounds time and size,
// and builds the list of symbols with their nesting, lines and documentation.
import type { ParsedFile } from '../../model/parsed-file.ts';
import { kindsWith, type SymbolDefinition, type SymbolKind } from '../../model/symbol.ts';
import {
  type EmbeddedPart,
  type EmbeddedStructure,
  emptyStructure,
  type Language,
  type Lexis,
  type RawDefinition,
  type RawStructure,
} from './language.ts';
import { languageById } from './languages/table.ts';
import { parseWithTypeScript } from './scripts/typescript-engine.ts';
import { LineIndex } from './signature-view.ts';
import {
  createGrammarLoader,
  GrammarError,
  isRuntimeGone,
  parseWithTreeSitter,
  type ReadGrammar,
} from './tree-sitter-engine.ts';

interface ParserOptions {
  readonly readGrammar: ReadGrammar;
  /** Monotonic milliseconds; handed in because only `platform` reads clocks. */
  readonly now: () => number;
  /** Milliseconds of processor time. On a busy machine a file must not suffer for the time that it waited. */
  readonly workedMs?: () => number;
  /** A file that takes longer is kept as plain text. */
  readonly limitMs: number;
  /** Called when the wasm runtime is broken: this process can parse nothing more. */
  readonly onRuntimeGone?: () => void;
}

/** Larger files keep their words and get no structure. */
export const DEFAULT_MAX_STRUCTURE_BYTES = 1_000_000;

/** A line this long is minified or data: its structure is useless and expensive. */
const MAX_LINE = 20_000;

/** Parses a text. With null for the language only its lines are counted. */
export type ParseText = (text: string, language: Language | null) => Promise<ParsedFile>;

/** Long lines on average, or one extremely long line. */
export function isMinified(text: string, lines: LineIndex): boolean {
  if (text.length / lines.starts.length > 1_000) return true;
  return lines.starts.some((start, index) => (lines.starts[index + 1] ?? text.length) - start > MAX_LINE);
}

/** Openers of comments or strings without an end. No file that people write has so many. */
const MAX_OPEN = 2_000;

/** Whether a text has so many unclosed openers that a grammar would take quadratic time. */
export function staysOpen(text: string, { blockComments, strings }: Lexis): boolean {
  const pairs = [...blockComments, ...strings.map(({ open, close }) => [open, close] as const)];
  return pairs.some(([open, close]) => {
    if (open === close || text.length < MAX_OPEN * open.length) return false;
    let left = 0;
    // The end of an opener may look like a close, as in `/*/*/*`.
    for (const [found] of text.matchAll(new RegExp(`${literal(open)}|${literal(close)}`, 'g')))
      left = found === open ? left + 1 : Math.max(0, left - 1);
    return left > MAX_OPEN;
  });
}

/** Escapes a text for a regular expression. */
export function literal(text: string): string {
  return text.replace(/[^\w\s]/g, '\\$&');
}

/**
 * The share of the limit without checks. Most files are done by then, and asking for processor time costs time itself.
 */
const UNWATCHED_SHARE = 1 / 20;

/** Starts the clock for a file. The function tells whether it has taken too long. */
function startLimit({ now, workedMs = now, limitMs }: ParserOptions): () => boolean {
  const started = now();
  let workLimit: number | null = null;
  return () => {
    const elapsed = now() - started;
    if (elapsed < limitMs * UNWATCHED_SHARE) return false;
    workLimit ??= workedMs() + limitMs * (1 - UNWATCHED_SHARE);
    return elapsed > limitMs && workedMs() > workLimit;
  };
}

/** A parser for texts in any language of the table. The content of a file never makes it throw. */
export function createParser(options: ParserOptions): ParseText {
  const loadGrammar = createGrammarLoader(options.readGrammar);

  /** Calls the engine of the language. */
  async function structureOf(
    text: string,
    language: Language,
    isOverdue: () => boolean,
  ): Promise<RawStructure> {
    const structure = language.structureFor?.(text) ?? language.structure;
    if (!structure) return emptyStructure(null);
    if (structure.engine === 'typescript') return parseWithTypeScript(text, structure);
    if (structure.engine === 'tree-sitter' && staysOpen(text, language.lexis))
      return emptyStructure('too-complex');
    if (structure.engine === 'tree-sitter')
      return parseWithTreeSitter(text, structure, loadGrammar, isOverdue);
    if (structure.engine === 'lines')
      return {
        ...emptyStructure(null),
        definitions: structure.find(text),
        imports: structure.findImports?.(text) ?? [],
      };
    return embedded(text, structure, isOverdue);
  }

  /** Parses the parts of each embedded language together, in place, so that offsets are those of the file. */
  async function embedded(
    text: string,
    structure: EmbeddedStructure,
    isOverdue: () => boolean,
  ): Promise<RawStructure> {
    const byLanguage = new Map<string, EmbeddedPart[]>();
    for (const part of structure.parts(text)) {
      const same = byLanguage.get(part.language) ?? [];
      same.push(part);
      byLanguage.set(part.language, same);
    }
    const found: RawStructure[] = [];
    for (const [id, parts] of byLanguage) {
      const language = languageById(id);
      if (language) found.push(await structureOf(blankAround(text, parts), language, isOverdue));
    }
    return {
      definitions: found.flatMap((one) => one.definitions),
      imports: found.flatMap((one) => one.imports),
      problem: found.find((one) => one.problem)?.problem ?? null,
      hasSyntaxErrors: found.some((one) => one.hasSyntaxErrors),
    };
  }

  async function tryStructure(text: string, lines: LineIndex, language: Language): Promise<RawStructure> {
    if (text.length > (language.maxStructureBytes ?? DEFAULT_MAX_STRUCTURE_BYTES))
      return emptyStructure('too-complex');
    if (isMinified(text, lines)) return emptyStructure('minified');
    try {
      return await structureOf(text, language, startLimit(options));
    } catch (error) {
      if (error instanceof GrammarError) return emptyStructure('no-grammar');
      if (isRuntimeGone(error)) options.onRuntimeGone?.();
      // Deep nesting overflows the stack. Whatever else a grammar throws, the words of the file are kept.
      return emptyStructure(error instanceof RangeError ? 'too-complex' : 'parser-crashed');
    }
  }

  return async (text, language) => {
    const lines = new LineIndex(text);
    const found = language ? await tryStructure(text, lines, language) : emptyStructure(null);
    return {
      language: language?.id ?? null,
      lineCount: lines.countFor(text),
      symbols: language ? buildSymbols(text, lines, found.definitions, language) : [],
      imports: found.imports.map(({ start, end, ...reference }) => ({
        ...reference,
        line: lines.lineAt(start),
        endLine: lines.lineAt(Math.max(start, end - 1)),
      })),
      problem: found.problem,
      hasSyntaxErrors: found.hasSyntaxErrors,
    };
  };
}

/** Replaces everything around the parts by spaces, which keeps their offsets. A line break separates two parts. */
export function blankAround(text: string, parts: readonly EmbeddedPart[]): string {
  let at = 0;
  let blanked = '';
  for (const { start, end } of parts) {
    blanked += (at === 0 ? ' '.repeat(start) : '\n'.padEnd(start - at)) + text.slice(start, end);
    at = end;
  }
  return blanked;
}

/** Kinds that can hold members, kinds with a body of code, and kinds that hold a value. */
const CONTAINERS = kindsWith('container');
const CALLABLES = kindsWith('callable');
const VARIABLES = kindsWith('variable');

/** Characters. Headers are kept whole, but a hostile one must not fill the index. */
const MAX_SIGNATURE = 4_000;

function signatureText(text: string, start: number, headerEnd: number): string {
  const signature = text.slice(start, headerEnd).trimEnd();
  return signature.length <= MAX_SIGNATURE ? signature : `${signature.slice(0, MAX_SIGNATURE)}…`;
}

/** A function in a class is a method, a variable in it a property. */
function kindInside(kind: SymbolKind, container: SymbolDefinition | undefined): SymbolKind {
  if (!container || !CONTAINERS.has(container.kind)) return kind;
  if (kind === 'function') return 'method';
  if (kind === 'variable') return 'property';
  return kind;
}

/** Names that share one declaration, as in `int a, b;`, are siblings and not nested. */
function encloses(outer: SymbolDefinition, { start, end }: RawDefinition): boolean {
  return outer.end > start && (outer.start !== start || outer.end !== end);
}

/** Turns an engine's findings into the file's symbol list: ordered, nested, with lines, signature and doc. */
function buildSymbols(
  text: string,
  lines: LineIndex,
  definitions: readonly RawDefinition[],
  language: Language,
): SymbolDefinition[] {
  const ordered = [...definitions].sort(
    (a, b) => a.start - b.start || b.end - a.end || a.nameStart - b.nameStart,
  );
  const symbols: SymbolDefinition[] = [];
  const open: number[] = [];
  for (const raw of ordered) {
    // A parser may invent an empty name to continue after an error.
    if (raw.name === '') continue;
    while (open.length > 0 && !encloses(symbols[open.at(-1)!]!, raw)) open.pop();
    const container = open.at(-1) ?? -1;
    // Variables inside a function are locals.
    if (VARIABLES.has(raw.kind) && open.some((index) => CALLABLES.has(symbols[index]!.kind))) continue;
    symbols.push({
      name: raw.name,
      kind: kindInside(raw.kind, symbols[container]),
      container,
      start: raw.start,
      nameStart: raw.nameStart,
      headerEnd: raw.headerEnd,
      bodyEnd: raw.bodyEnd,
      end: raw.end,
      startLine: lines.lineAt(raw.start),
      endLine: lines.lineAt(Math.max(raw.start, raw.end - 1)),
      signature: signatureText(text, raw.start, raw.headerEnd),
      ...docOf(text, lines, raw, language),
    });
    open.push(symbols.length - 1);
  }
  return symbols;
}

const MAX_DOC = 200;

/** Lines above a definition in which its comment may begin. Only its first line is kept. */
const MAX_COMMENT_LINES = 60;

/** A comment line without its markers. */
function clean(line: string): string {
  const stripped = line
    .replace(
      /^\s*(?:\/\/[/!]?|\/\*[*!]?|\*(?!\*)|#+[:|']?|--(?: ?[-|^])?|;+|%+|"{3}|'{3}|[rRuU]?"{3}|\{-\|?|--\[\[|<!--)/,
      '',
    )
    .replace(/(?:\*\/|"{3}|'{3}|-\}|-->)\s*$/, '')
    // Documentation in XML: `/// <summary>Opens it.</summary>`.
    .replace(/<\/?[a-z][^<>]*>/g, '')
    .trim();
  return stripped.length <= MAX_DOC ? stripped : `${stripped.slice(0, MAX_DOC - 1)}…`;
}

/** The first line that says something. */
function firstSentence(lines: readonly string[]): string {
  for (const line of lines) {
    const text = clean(line);
    // Tags such as `@param` and rulers such as `------` say nothing about the definition.
    if (/[\p{L}\p{N}]/u.test(text) && !text.startsWith('@')) return text;
  }
  return '';
}

type Doc = Pick<SymbolDefinition, 'doc' | 'docLines'>;

const NO_DOC: Doc = { doc: '' };
/** A longer docstring is text that a program prints. */
const MAX_DOCSTRING = 40_000;

/** The first string literal of a body, as Python writes its docs. */
function docInside(text: string, lines: LineIndex, { headerEnd, bodyEnd }: RawDefinition): Doc {
  const body = text.slice(headerEnd, Math.min(bodyEnd, headerEnd + MAX_DOCSTRING));
  const quoted = /^([\s:{]*)[rRuU]?("{3}|'{3}|"|')([\s\S]*?)\2/.exec(body);
  if (quoted === null) return NO_DOC;
  const [whole, before, , content] = quoted;
  return {
    doc: firstSentence(content!.split('\n')),
    docLines: {
      startLine: lines.lineAt(headerEnd + before!.length),
      endLine: lines.lineAt(headerEnd + whole!.length - 1),
    },
  };
}

/** The comment block that ends on the line right above a definition. */
function docAbove(text: string, lines: LineIndex, definition: RawDefinition, language: Language): Doc {
  const { lineComments, blockComments } = language.lexis;
  const lineAt = (line: number) =>
    text.slice(lines.starts[line - 1], (lines.starts[line] ?? text.length + 1) - 1);
  const block: string[] = [];
  const last = lines.lineAt(definition.start) - 1;
  let closer: readonly [string, string] | undefined;
  for (let line = last; line >= 1 && last - line < MAX_COMMENT_LINES; line--) {
    const content = lineAt(line).trim();
    if (closer) {
      block.push(content);
      if (content.includes(closer[0])) break;
      continue;
    }
    if (lineComments.some((marker) => content.startsWith(marker))) {
      block.push(content);
      continue;
    }
    closer = blockComments.find(([, close]) => content.endsWith(close));
    if (!closer) break;
    block.push(content);
    if (content.startsWith(closer[0])) break;
  }
  if (block.length === 0) return NO_DOC;
  return {
    doc: firstSentence(block.reverse()),
    docLines: { startLine: last - block.length + 1, endLine: last },
  };
}

function docOf(text: string, lines: LineIndex, definition: RawDefinition, language: Language): Doc {
  if (language.kind !== 'code') return NO_DOC;
  if (language.docs !== 'inside') return docAbove(text, lines, definition, language);
  // The body of a variable is its value. A string in it is not documentation.
  return VARIABLES.has(definition.kind) ? NO_DOC : docInside(text, lines, definition);
}
