import type { Node, Parser, QueryMatch, Tree } from 'web-tree-sitter';
import type { SymbolKind } from '../../model/symbol.ts';
import { asItIs, blankOut, leaveOut, type ShortenedText } from './blanks.ts';
import type { GrammarLoader } from './grammar-loader.ts';
import {
  emptyStructure,
  type LocatedImport,
  type RawDefinition,
  type RawStructure,
  type TreeSitterStructure,
} from './language.ts';

const DEFINITION = 'definition.';
const OUTER = 'outer.';

interface Finding {
  kind: SymbolKind;
  whole: Node | null;
  name: Node | null;
  body: Node | null;
  statement: Node | null;
  isOuter: boolean;
}

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

/** Attributes and annotations that a grammar puts beside the definition belong to its header. */
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

/** Several patterns may find one definition: the widest range wins, and a known body beats an unknown one. */
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

interface ParsedText extends Pick<ShortenedText, 'originOf'> {
  readonly tree: Tree;
}

/** Null when it took too long. */
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
  // how a grammar gets over an error depends on how many characters it skips
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
    // trees live in the wasm heap and finalizers run late: a scan of thousands of files would run out of it
    tree.delete();
  }
}
