import type { Node, QueryMatch } from 'web-tree-sitter';
import type { SymbolKind } from '../model/symbol.ts';
import type { GrammarLoader } from './grammar-loader.ts';
import type { RawDefinition, TreeSitterStructure } from './language.ts';
import { emptyStructure, type LocatedImport, type RawStructure } from './structure.ts';

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

function toDefinition(finding: Finding, structure: TreeSitterStructure, text: string): RawDefinition | null {
  const { whole, name, body, kind } = finding;
  if (!whole || !name) return null;
  if (finding.isOuter && !structure.outerPlaces?.includes(whole.parent?.type ?? '')) return null;
  const end = whole.endIndex;
  const definition: RawDefinition = {
    kind,
    name: text.slice(name.startIndex, name.endIndex),
    nameStart: name.startIndex,
    start: headerStart(whole, structure.headerSiblings),
    headerEnd: body ? body.startIndex : end,
    bodyEnd: body ? body.endIndex : end,
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

export async function parseWithTreeSitter(
  text: string,
  structure: TreeSitterStructure,
  loadGrammar: GrammarLoader,
  isOverdue: () => boolean,
): Promise<RawStructure> {
  const { parser, query } = await loadGrammar(structure);
  const tree = parser.parse(structure.prepare?.(text) ?? text, null, { progressCallback: () => isOverdue() });
  if (!tree) {
    parser.reset();
    return emptyStructure('parser-timeout');
  }
  try {
    const definitions = new Map<number, RawDefinition>();
    const imports: LocatedImport[] = [];
    const matches = query.matches(tree.rootNode, { progressCallback: () => isOverdue() });
    for (const match of matches) {
      const finding = readMatch(match);
      if (finding.statement) {
        const { startIndex, endIndex } = finding.statement;
        const read = structure.readImport?.(text.slice(startIndex, endIndex)) ?? [];
        for (const reference of read) imports.push({ ...reference, start: startIndex, end: endIndex });
        continue;
      }
      const definition = toDefinition(finding, structure, text);
      if (!definition) continue;
      const known = definitions.get(definition.nameStart);
      definitions.set(definition.nameStart, known ? mergeSame(known, definition) : definition);
    }
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
