export const SYMBOL_KINDS = [
  'module',
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'enum-member',
  'union',
  'type',
  'function',
  'method',
  'constructor',
  'property',
  'constant',
  'variable',
  'macro',
  'test',
  'table',
  'rule',
  'key',
  'heading',
  'element',
] as const;

export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/** What a file is made of; the other kinds are values, members and parts of documents. */
export const STRUCTURAL_KINDS: ReadonlySet<SymbolKind> = new Set([
  'module',
  'class',
  'interface',
  'trait',
  'struct',
  'enum',
  'union',
  'type',
  'function',
  'method',
  'constructor',
  'macro',
  'table',
]);

/**
 * A definition in a file. Offsets are UTF-16 indices into the decoded text, lines are 1-based and inclusive.
 * The header of a definition (its decorators, modifiers, name, parameters, types) is `[start, headerEnd)`;
 * what a signature leaves out is `[headerEnd, bodyEnd)`; what stands behind that, up to `end`, closes it.
 */
export interface SymbolDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Index of the enclosing definition in the same file's list, or -1. */
  readonly container: number;
  readonly start: number;
  /** Where the name stands; `start` when the definition has none of its own. */
  readonly nameStart: number;
  readonly headerEnd: number;
  readonly bodyEnd: number;
  readonly end: number;
  readonly startLine: number;
  readonly endLine: number;
  /** The whole header, as written, line breaks included. */
  readonly signature: string;
  /** First line of the doc comment or docstring, without its markers; empty if there is none. */
  readonly doc: string;
}
