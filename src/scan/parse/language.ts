// The types of the language table. A language is data and a few functions; engines and tools read the table and name no
// language.

import type { ImportResolver } from '../../model/import-resolver.ts';
import type { ImportReference, ParseProblem } from '../../model/parsed-file.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { Blanks } from './blanks.ts';

/** How comments and strings look: enough to tell words of code, comments and strings apart. */
export interface Lexis {
  /** Marks that start a comment up to the end of the line. */
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  readonly strings: readonly StringStyle[];
}

interface StringStyle {
  readonly open: string;
  readonly close: string;
  /** May run over line ends. */
  readonly multiline?: boolean;
}

/** A definition as a grammar query finds it, before nesting and doc lines are worked out. */
export interface RawDefinition {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Offset of the name: two findings with the same one are the same definition. */
  readonly nameStart: number;
  /** Offsets: of the header, of the end of the header, of the end of the body, of the end of the definition. */
  readonly start: number;
  readonly headerEnd: number;
  readonly bodyEnd: number;
  readonly end: number;
}

/** An import before its lines are known. */
export type RawImport = Omit<ImportReference, 'line' | 'endLine'>;

/**
 * Structure by a tree-sitter grammar. The query's captures:
 * - `@definition.KIND` the whole definition, KIND one of `SYMBOL_KINDS`
 * - `@outer.KIND` the same, but only where its parent node is one of `outerPlaces`: elsewhere it is local
 * - `@name` its name, `@body` what a signature leaves out (optional)
 * - `@import` a whole import statement, handed as text to `readImport`
 *
 * Functions directly inside a class-like definition become methods by themselves; variables, constants and
 * properties inside a function body are dropped (they are locals).
 */
export interface TreeSitterStructure {
  readonly engine: 'tree-sitter';
  /** Name of the grammar file, `python` for `python.wasm`. */
  readonly grammar: string;
  readonly query: string;
  /** Types of parent nodes. A list is cheaper than a pattern for each of them, because compiling a query takes time. */
  readonly outerPlaces?: readonly string[];
  /** Types of sibling nodes before a definition that belong to its header (attributes, annotations). */
  readonly headerSiblings?: readonly string[];
  /** Changes the text before parsing, without changing its length: parts that cannot matter may be blanked. */
  readonly prepare?: (text: string) => string;
  /**
   * Like `prepare`, for grammars that stay right without these parts: they are left out, and blanked only after a
   * syntax error.
   */
  readonly findBlanks?: (text: string) => Blanks;
  /** Reads an import statement. One statement may name several modules. */
  readonly readImport?: (statement: string) => readonly RawImport[];
  /** Finds references to other files that need no import statement. */
  readonly findReferences?: (text: string) => readonly RawImport[];
  /** Changes a finding, or drops it with null. */
  readonly refine?: (definition: RawDefinition, text: string) => RawDefinition | null;
}

/** Structure by the TypeScript compiler's own parser, which reads JavaScript as well. */
export interface TypeScriptStructure {
  readonly engine: 'typescript';
  readonly dialect: 'ts' | 'tsx' | 'js' | 'jsx';
}

/** A file that holds parts in other languages: each part is parsed by its own language, in place. */
export interface EmbeddedStructure {
  readonly engine: 'embedded';
  readonly parts: (text: string) => readonly EmbeddedPart[];
}

/** A range of a file that is written in another language. */
export interface EmbeddedPart {
  readonly language: string;
  readonly start: number;
  readonly end: number;
}

/** Structure that can be read line by line, without a grammar. */
interface LineStructure {
  readonly engine: 'lines';
  readonly find: (text: string) => readonly RawDefinition[];
  readonly findImports?: (
    text: string,
  ) => readonly (RawImport & { readonly start: number; readonly end: number })[];
}

type Structure = TreeSitterStructure | TypeScriptStructure | EmbeddedStructure | LineStructure;

/** Everything Loadout knows about one language. `parse/languages/` is the only place that names one. */
export interface Language {
  /** Stable id, lower case: `typescript`, `csharp`. */
  readonly id: string;
  /** For people: `TypeScript`, `C#`. */
  readonly name: string;
  readonly kind: 'code' | 'markup' | 'data' | 'prose';
  /** With the dot, lower case; the longest match wins. */
  readonly extensions: readonly string[];
  /** Whole file names, exact case: `Makefile`. */
  readonly fileNames?: readonly string[];
  /** Interpreters in a `#!` line: `python3`. */
  readonly interpreters?: readonly string[];
  readonly lexis: Lexis;
  readonly structure: Structure | null;
  /** For extensions that several languages share: the structure for this text, or null for the usual one. */
  readonly structureFor?: (text: string) => Structure | null;
  /** Where documentation is: in a comment above the definition, or in the first string inside it. */
  readonly docs?: 'above' | 'inside';
  /** Paths that hold tests by this language's convention, beyond the common ones (`tests/` folders). */
  readonly testPaths?: RegExp;
  /** File names (of the source) that a test file with this path may be about, best first. */
  readonly testedNames?: (testPath: string) => readonly string[];
  readonly resolver?: ImportResolver;
  /** Files above this size keep their words but not their structure. */
  readonly maxStructureBytes?: number;
}

/** Strings that end with their line. */
export const DOUBLE: StringStyle = { open: '"', close: '"' };
export const SINGLE: StringStyle = { open: "'", close: "'" };
/** Strings that may run over line ends. */
export const LONG_DOUBLE: StringStyle = { ...DOUBLE, multiline: true };
export const LONG_SINGLE: StringStyle = { ...SINGLE, multiline: true };
export const TRIPLE_DOUBLE: StringStyle = { open: '"""', close: '"""', multiline: true };
export const TRIPLE_SINGLE: StringStyle = { open: "'''", close: "'''", multiline: true };
export const BACKTICK: StringStyle = { open: '`', close: '`', multiline: true };

/** Comments and strings of C and the many languages that follow it. */
export const C_STYLE_LEXIS: Lexis = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  strings: [DOUBLE, SINGLE],
};

/** Comments that begin with `#`, and strings in either quotes. */
export const HASH_LEXIS: Lexis = {
  lineComments: ['#'],
  blockComments: [],
  strings: [DOUBLE, SINGLE],
};

/** For text without comments and strings. */
export const NO_LEXIS: Lexis = { lineComments: [], blockComments: [], strings: [] };

/** An import with the offsets of its statement. */
export type LocatedImport = RawImport & { readonly start: number; readonly end: number };

/** The findings of an engine in a text, before they become a `ParsedFile`. */
export interface RawStructure {
  readonly definitions: readonly RawDefinition[];
  readonly imports: readonly LocatedImport[];
  readonly problem: ParseProblem | null;
  readonly hasSyntaxErrors: boolean;
}

/** The structure of a file that could not be parsed, or has none. */
export function emptyStructure(problem: ParseProblem | null): RawStructure {
  return { definitions: [], imports: [], problem, hasSyntaxErrors: false };
}

/** An entry of `ImportReference.names`: the name in the other file, and after ` as ` the local name. */
export function importedAs(name: string, local: string): string {
  return name === local ? name : `${name} as ${local}`;
}

/** Offsets of a comment; the line end behind it does not belong to it. */
export interface CommentRange {
  readonly start: number;
  readonly end: number;
}

/** The comments of a text in their order, or why they are not known. */
export type FoundComments =
  | { readonly kind: 'found'; readonly ranges: readonly CommentRange[] }
  /** The language has no parser here. */
  | { readonly kind: 'no-parser' }
  /** The parser found mistakes, took too long, or is not for such a text. */
  | { readonly kind: 'not-parsed' };
