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
  /** Time that this process has worked: on a crowded machine a file must not suffer for the time it waited. */
  readonly workedMs?: () => number;
  /** A file that takes longer is kept as plain text. */
  readonly limitMs: number;
  /** What all grammars run in is gone: this process can parse nothing more. */
  readonly onRuntimeGone?: () => void;
}

const DEFAULT_MAX_STRUCTURE_BYTES = 1_000_000;

/** A line this long is minified or data: its structure is useless and expensive. */
const MAX_LINE = 20_000;

/** Parses a text; with null for the language only its words are found. */
export type ParseText = (text: string, language: Language | null) => Promise<ParsedFile>;

function isMinified(text: string, lines: LineIndex): boolean {
  if (text.length / lines.starts.length > 1_000) return true;
  return lines.starts.some((start, index) => (lines.starts[index + 1] ?? text.length) - start > MAX_LINE);
}

/** So many comments or strings that begin and do not end are in no file that anybody wrote. */
const MAX_OPEN = 2_000;

/** Grammars search each of them to the end of the file, and take the square of its length for that. */
function staysOpen(text: string, { blockComments, strings }: Lexis): boolean {
  const pairs = [...blockComments, ...strings.map(({ open, close }) => [open, close] as const)];
  return pairs.some(([open, close]) => {
    if (open === close || text.length < MAX_OPEN * open.length) return false;
    let left = 0;
    // the end of an opener may look like a close, as in `/*/*/*`
    for (const [found] of text.matchAll(new RegExp(`${literal(open)}|${literal(close)}`, 'g')))
      left = found === open ? left + 1 : Math.max(0, left - 1);
    return left > MAX_OPEN;
  });
}

function literal(text: string): string {
  return text.replace(/[^\w\s]/g, '\\$&');
}

/** Most files are done long before this share of the limit: asking how long a process has worked takes its time. */
const UNWATCHED_SHARE = 1 / 20;

/** Tells whether a file that is begun now has taken too long. */
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

/** A parser for any text in any language of the table; it never throws for what a file says. */
export function createParser(options: ParserOptions): ParseText {
  const loadGrammar = createGrammarLoader(options.readGrammar);

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
      // deep nesting overflows the stack; anything else a grammar throws is no reason to lose the words
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

/** Blanks around the parts keep their offsets those of the whole file; a line end keeps one from the next. */
function blankAround(text: string, parts: readonly EmbeddedPart[]): string {
  let at = 0;
  let blanked = '';
  for (const { start, end } of parts) {
    blanked += (at === 0 ? ' '.repeat(start) : '\n'.padEnd(start - at)) + text.slice(start, end);
    at = end;
  }
  return blanked;
}

const CONTAINERS = kindsWith('container');
const CALLABLES = kindsWith('callable');
const VARIABLES = kindsWith('variable');

/** A header is kept whole, but a hostile one must not fill the index. */
const MAX_SIGNATURE = 4_000;

function signatureText(text: string, start: number, headerEnd: number): string {
  const signature = text.slice(start, headerEnd).trimEnd();
  return signature.length <= MAX_SIGNATURE ? signature : `${signature.slice(0, MAX_SIGNATURE)}…`;
}

function kindInside(kind: SymbolKind, container: SymbolDefinition | undefined): SymbolKind {
  if (!container || !CONTAINERS.has(container.kind)) return kind;
  if (kind === 'function') return 'method';
  if (kind === 'variable') return 'property';
  return kind;
}

/** Names that share one declaration, as in `int a, b;`, are siblings. */
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
    // a parser may make up an empty name to go on behind an error
    if (raw.name === '') continue;
    while (open.length > 0 && !encloses(symbols[open.at(-1)!]!, raw)) open.pop();
    const container = open.at(-1) ?? -1;
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
      doc: docLine(text, lines, raw, language),
    });
    open.push(symbols.length - 1);
  }
  return symbols;
}

const MAX_DOC = 200;

/** How far above a definition its comment may reach; only its first line is kept. */
const MAX_COMMENT_LINES = 60;

function clean(line: string): string {
  const stripped = line
    .replace(
      /^\s*(?:\/\/[/!]?|\/\*[*!]?|\*(?!\*)|#+[:|']?|--(?: ?[-|^])?|;+|%+|"{3}|'{3}|[rRuU]?"{3}|\{-\|?|--\[\[|<!--)/,
      '',
    )
    .replace(/(?:\*\/|"{3}|'{3}|-\}|-->)\s*$/, '')
    // documentation in XML: `/// <summary>Opens it.</summary>`
    .replace(/<\/?[a-z][^<>]*>/g, '')
    .trim();
  return stripped.length <= MAX_DOC ? stripped : `${stripped.slice(0, MAX_DOC - 1)}…`;
}

function firstSentence(lines: readonly string[]): string {
  for (const line of lines) {
    const text = clean(line);
    // tags such as @param and rulers such as ------ say nothing about the definition
    if (/[\p{L}\p{N}]/u.test(text) && !text.startsWith('@')) return text;
  }
  return '';
}

/** The first string literal of a body, as Python and Elixir write their docs. */
function docInside(text: string, definition: RawDefinition): string {
  const body = text.slice(definition.headerEnd, Math.min(definition.bodyEnd, definition.headerEnd + 2_000));
  const quoted = /^[\s:{]*[rRuU]?("{3}|'{3}|"|')([\s\S]*?)\1/.exec(body);
  return quoted ? firstSentence(quoted[2]!.split('\n')) : '';
}

/** The comment block that ends on the line right above a definition. */
function docAbove(text: string, lines: LineIndex, definition: RawDefinition, language: Language): string {
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
  return firstSentence(block.reverse());
}

function docLine(text: string, lines: LineIndex, definition: RawDefinition, language: Language): string {
  if (language.kind !== 'code') return '';
  if (language.docs !== 'inside') return docAbove(text, lines, definition, language);
  // the "body" of a variable is its value, and a string in it is no doc
  return VARIABLES.has(definition.kind) ? '' : docInside(text, definition);
}
