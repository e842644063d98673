// Parses with tree-sitter grammars, which are wasm programs. A query finds definitions and imports, and functions of
// the language table correct its findings.
import type { Language as Grammar, Node, Parser, Query, QueryMatch, Tree } from 'web-tree-sitter';
import type { SymbolKind } from '../../model/symbol.ts';
import { asItIs, blankOut, leaveOut, type ShortenedText } from './blanks.ts';
import {
  emptyStructure,
  type LocatedImport,
  type RawDefinition,
  type RawStructure,
  type TreeSitterStructure,
} from './language.ts';

/** Prefixes of captures, see `TreeSitterStructure`. */
const DEFINITION = 'definition.';
const OUTER = 'outer.';

/** The captures of one match. */
interface Finding {
  kind: SymbolKind;
  whole: Node | null;
  name: Node | null;
  body: Node | null;
  statement: Node | null;
  isOuter: boolean;
}

/** Sorts the captures of a match by their names. */
function readMatch(match: QueryMatch): Finding {
  const finding: Finding = {
    kind: 'variable',
    whole: null,
    name: null,
    body: null,
    statement: null,
    isOuter: false,
  };
  for (const { name, node } of match.captures) {
    if (name.startsWith(DEFINITION)) {
      finding.kind = name.slice(DEFINITION.length) as SymbolKind;
      finding.whole = node;
    } else if (name.startsWith(OUTER)) {
      finding.kind = name.slice(OUTER.length) as SymbolKind;
      finding.whole = node;
      finding.isOuter = true;
    } else if (name === 'name') finding.name = node;
    else if (name === 'body') finding.body = node;
    else if (name === 'import') finding.statement = node;
  }
  return finding;
}

/**
 * Where the header starts. Some grammars put attributes and annotations beside the definition; they belong to its
 * header.
 */
function headerStart(whole: Node, siblings: readonly string[] | undefined): number {
  let first = whole;
  if (siblings) {
    for (
      let before = first.previousNamedSibling;
      before && siblings.includes(before.type);
      before = before.previousNamedSibling
    )
      first = before;
  }
  return first.startIndex;
}

/** A definition with offsets of the original text; null when it is incomplete, or a local one. */
function toDefinition(
  finding: Finding,
  structure: TreeSitterStructure,
  text: string,
  originOf: ShortenedText['originOf'],
): RawDefinition | null {
  const { whole, name, body, kind } = finding;
  if (!whole || !name) return null;
  if (finding.isOuter && !structure.outerPlaces?.includes(whole.parent?.type ?? '')) return null;
  const end = originOf(whole.endIndex);
  const nameStart = originOf(name.startIndex);
  const definition: RawDefinition = {
    kind,
    name: text.slice(nameStart, originOf(name.endIndex)),
    nameStart,
    start: originOf(headerStart(whole, structure.headerSiblings)),
    headerEnd: body ? originOf(body.startIndex) : end,
    bodyEnd: body ? originOf(body.endIndex) : end,
    end,
  };
  return structure.refine ? structure.refine(definition, text) : definition;
}

/** Several patterns may find the same definition. The widest range wins, and a known body wins over none. */
function mergeSame(a: RawDefinition, b: RawDefinition): RawDefinition {
  const outer = b.start < a.start || b.end > a.end ? b : a;
  const bodied = b.headerEnd < b.end && (a.headerEnd >= a.end || b.headerEnd < a.headerEnd) ? b : a;
  return {
    ...outer,
    kind: a.kind,
    start: Math.min(a.start, b.start),
    headerEnd: bodied.headerEnd,
    bodyEnd: bodied.bodyEnd,
    end: Math.max(a.end, b.end),
  };
}

/** A syntax tree, and the way back to offsets of the original text. */
interface ParsedText extends Pick<ShortenedText, 'originOf'> {
  readonly tree: Tree;
}

/** Parses a text, shortened where the language allows it; null when it took too long. */
function parse(
  parser: Parser,
  text: string,
  { prepare, findBlanks }: TreeSitterStructure,
  isOverdue: () => boolean,
): ParsedText | null {
  const parseText = (one: string) => parser.parse(one, null, { progressCallback: () => isOverdue() });
  const blanks = findBlanks?.(text);
  const { text: short, originOf } = blanks ? leaveOut(text, blanks) : asItIs(prepare?.(text) ?? text);
  const tree = parseText(short);
  if (!tree?.rootNode.hasError || !blanks || short === text) return tree && { tree, originOf };
  // How a grammar recovers from an error depends on the number of characters that it skips, so the text is parsed again
  // at full length.
  tree.delete();
  const again = parseText(blankOut(text, blanks));
  return again && { tree: again, originOf: asItIs(text).originOf };
}

/** Finds definitions and imports with the grammar and the query of a language. */
export async function parseWithTreeSitter(
  text: string,
  structure: TreeSitterStructure,
  loadGrammar: GrammarLoader,
  isOverdue: () => boolean,
): Promise<RawStructure> {
  const { parser, query } = await loadGrammar(structure);
  const parsed = parse(parser, text, structure, isOverdue);
  if (!parsed) {
    parser.reset();
    return emptyStructure('parser-timeout');
  }
  const { tree, originOf } = parsed;
  try {
    const definitions = new Map<number, RawDefinition>();
    const imports: LocatedImport[] = [];
    const matches = query.matches(tree.rootNode, { progressCallback: () => isOverdue() });
    for (const match of matches) {
      const finding = readMatch(match);
      if (finding.statement) {
        const start = originOf(finding.statement.startIndex);
        const end = originOf(finding.statement.endIndex);
        const read = structure.readImport?.(text.slice(start, end)) ?? [];
        for (const reference of read) imports.push({ ...reference, start, end });
        continue;
      }
      const definition = toDefinition(finding, structure, text, originOf);
      if (!definition) continue;
      const known = definitions.get(definition.nameStart);
      definitions.set(definition.nameStart, known ? mergeSame(known, definition) : definition);
    }
    for (const reference of structure.findReferences?.(text) ?? [])
      imports.push({ ...reference, start: 0, end: 0 });
    return {
      definitions: [...definitions.values()],
      imports,
      problem: isOverdue() ? 'parser-timeout' : null,
      hasSyntaxErrors: tree.rootNode.hasError,
    };
  } finally {
    // Trees live in the wasm heap and finalizers run late: without this, a scan of thousands of files would run out of
    // memory.
    tree.delete();
  }
}

/** Reads a compiled grammar by name. It is passed in, because only `platform` opens files. */
export type ReadGrammar = (name: string) => Uint8Array;

/** A parser and a compiled query, ready for texts of one language. */
interface LoadedGrammar {
  readonly parser: Parser;
  readonly query: Query;
}

/** A grammar is missing or cannot be used. That is a fault of the installation, not of the file. */
export class GrammarError extends Error {}

/** Whether the wasm runtime has crashed. Nothing that it parses from now on can be trusted. */
export function isRuntimeGone(error: unknown): boolean {
  return error instanceof wasm.RuntimeError;
}

type CompiledGrammar = Parameters<typeof Grammar.loadSync>[0];

/** The types of Node do not declare `WebAssembly`. */
const { WebAssembly: wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => CompiledGrammar;
    readonly RuntimeError: new () => Error;
  };
};

let runtime: Promise<typeof import('web-tree-sitter')> | null = null;

async function startRuntime(readGrammar: ReadGrammar): Promise<typeof import('web-tree-sitter')> {
  const treeSitter = await import('web-tree-sitter');
  await treeSitter.Parser.init({ wasmBinary: readGrammar('web-tree-sitter') });
  return treeSitter;
}

/** Loads grammars on first use, because most runs meet two or three languages. */
export function createGrammarLoader(readGrammar: ReadGrammar) {
  const loaded = new Map<TreeSitterStructure, Promise<LoadedGrammar>>();
  const grammars = new Map<string, Grammar>();

  async function load(structure: TreeSitterStructure): Promise<LoadedGrammar> {
    runtime ??= startRuntime(readGrammar);
    const { Language, Parser, Query } = await runtime;
    let grammar = grammars.get(structure.grammar);
    if (!grammar) {
      // Compiled synchronously. In the background it would wait behind the optimizer, which takes seconds for the huge
      // lexers of grammars that are in use already.
      grammar = Language.loadSync(new wasm.Module(readGrammar(structure.grammar)));
      grammars.set(structure.grammar, grammar);
    }
    const parser = new Parser();
    parser.setLanguage(grammar);
    return { parser, query: new Query(grammar, structure.query) };
  }

  return (structure: TreeSitterStructure): Promise<LoadedGrammar> => {
    let entry = loaded.get(structure);
    if (!entry) {
      entry = load(structure).catch((cause: unknown) => {
        throw new GrammarError(`the grammar "${structure.grammar}" cannot be loaded`, { cause });
      });
      loaded.set(structure, entry);
    }
    return entry;
  };
}

type GrammarLoader = ReturnType<typeof createGrammarLoader>;
