import type { SymbolDefinition, SymbolKind } from '../../model/symbol.ts';
import { docLine } from './doc-line.ts';
import type { Language, RawDefinition } from './language.ts';
import type { LineIndex } from './line-index.ts';

const CLASS_LIKE: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'union',
]);
const FUNCTION_LIKE: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor', 'test']);
const LOCAL_KINDS: ReadonlySet<SymbolKind> = new Set(['variable', 'constant', 'property']);

/** A header is kept whole, but a hostile one must not fill the index. */
const MAX_SIGNATURE = 4_000;

function signatureText(text: string, start: number, headerEnd: number): string {
  const signature = text.slice(start, headerEnd).trimEnd();
  return signature.length <= MAX_SIGNATURE ? signature : `${signature.slice(0, MAX_SIGNATURE)}…`;
}

function kindInside(kind: SymbolKind, container: SymbolDefinition | undefined): SymbolKind {
  if (!container || !CLASS_LIKE.has(container.kind)) return kind;
  if (kind === 'function') return 'method';
  if (kind === 'variable') return 'property';
  return kind;
}

/** Names that share one declaration, as in `int a, b;`, are siblings. */
function encloses(outer: SymbolDefinition, { start, end }: RawDefinition): boolean {
  return outer.end > start && (outer.start !== start || outer.end !== end);
}

/** Turns an engine's findings into the file's symbol list: ordered, nested, with lines, signature and doc. */
export function buildSymbols(
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
    if (LOCAL_KINDS.has(raw.kind) && open.some((index) => FUNCTION_LIKE.has(symbols[index]!.kind))) continue;
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
