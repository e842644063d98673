/**
 * The traits of a kind of definition. Code that treats some kinds differently asks for a trait and never lists kinds.
 *
 * - `structural`: files are made of it; other kinds are values, members and parts of documents
 * - `container`: a function inside it is a method, a variable inside it a property
 * - `callable`: it has statements, and the values inside it are local
 * - `value`: it holds a value
 * - `variable`: it holds a value and is local inside a callable
 * - `exported`: other files can import it when it is at the top level
 * - `telling`: a use of its name says something about the file that defines it
 * - `usable`: other code calls it or builds on it
 */
type KindTrait =
  | 'structural'
  | 'container'
  | 'callable'
  | 'value'
  | 'variable'
  | 'exported'
  | 'telling'
  | 'usable';

/** Every kind of definition with its traits. The index stores the place of a kind in this list: append new ones. */
const KIND_TRAITS = {
  module: ['structural', 'exported'],
  class: ['structural', 'container', 'exported', 'telling', 'usable'],
  interface: ['structural', 'container', 'exported', 'telling', 'usable'],
  trait: ['structural', 'container', 'exported', 'telling', 'usable'],
  struct: ['structural', 'container', 'exported', 'telling', 'usable'],
  enum: ['structural', 'container', 'exported', 'telling', 'usable'],
  'enum-member': ['value'],
  union: ['structural', 'container', 'exported', 'telling', 'usable'],
  type: ['structural', 'exported', 'telling', 'usable'],
  function: ['structural', 'callable', 'exported', 'telling', 'usable'],
  method: ['structural', 'callable', 'telling'],
  constructor: ['structural', 'callable', 'usable'],
  property: ['value', 'variable'],
  constant: ['value', 'variable', 'exported', 'telling'],
  variable: ['value', 'variable', 'exported', 'telling'],
  macro: ['structural', 'exported', 'telling', 'usable'],
  test: ['callable'],
  table: ['structural', 'telling'],
  rule: [],
  key: [],
  heading: [],
  element: [],
} as const satisfies Readonly<Record<string, readonly KindTrait[]>>;

/** The kind of a definition: a class, a function, a heading. */
export type SymbolKind = keyof typeof KIND_TRAITS;

/** All kinds, in the order of their numbers in the index. */
export const SYMBOL_KINDS = Object.keys(KIND_TRAITS) as readonly SymbolKind[];

/** The kinds that have a trait. */
export function kindsWith(trait: KindTrait): ReadonlySet<SymbolKind> {
  return new Set(SYMBOL_KINDS.filter((kind) => (KIND_TRAITS[kind] as readonly KindTrait[]).includes(trait)));
}

interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * A definition in a file. Offsets are UTF-16 indices into the decoded text, lines are 1-based and inclusive.
 * The header of a definition (its decorators, modifiers, name, parameters, types) is `[start, headerEnd)`;
 * what a signature leaves out is `[headerEnd, bodyEnd)`; the rest, up to `end`, closes it.
 */
export interface SymbolDefinition {
  readonly name: string;
  readonly kind: SymbolKind;
  /** Index of the enclosing definition in the same file's list, or -1. */
  readonly container: number;
  readonly start: number;
  /** Where the name begins; `start` when the definition has no name of its own. */
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
  /** The lines of the doc comment above the definition, or of the docstring inside it. */
  readonly docLines?: Lines;
}

/** A doc comment this long takes the room of code. */
const LONG_DOC = 8;

/** The lines of long doc comments, first to last; two names of one declaration share theirs. */
export function longDocs(symbols: readonly SymbolDefinition[]): Lines[] {
  const docs = symbols
    .flatMap(({ docLines }) => docLines ?? [])
    .filter(({ startLine, endLine }) => endLine - startLine + 1 >= LONG_DOC)
    .sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return docs.filter((doc, at) => at === 0 || doc.startLine > docs[at - 1]!.endLine);
}

/** Of these, the ones that lie inside some lines and do not end them. */
export function docsInside(docs: readonly Lines[], { startLine, endLine }: Lines): Lines[] {
  return docs.filter((doc) => doc.startLine >= startLine && doc.endLine < endLine);
}
