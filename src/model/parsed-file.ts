// The findings of the parser in one file: imports, definitions (in symbol.ts) and words.

import type { SymbolDefinition } from './symbol.ts';

/**
 * - `import`: brings names of another module into scope
 * - `reexport`: passes names of another module on (`export * from`, `pub use`)
 * - `include`: textual inclusion (`#include`, `source`)
 * - `module`: declares a child module that lives in another file (`mod foo;`)
 * - `package`: says to which package or namespace this file itself belongs
 * - `autoload`: no statement, but the names of a file that a framework may load by themselves; once for a file
 */
export type ImportKind = 'import' | 'reexport' | 'include' | 'module' | 'package' | 'autoload';

/** Names another module in a line of its own, which can be shown. */
export function isStatement({ kind }: Pick<ImportReference, 'kind'>): boolean {
  return kind !== 'package' && kind !== 'autoload';
}

/** One import statement, or its equivalent in the language. */
export interface ImportReference {
  readonly kind: ImportKind;
  /** The module as written, without quotes: `./auth`, `django.db.models`, `crate::net::tcp`, `stdio.h`. */
  readonly specifier: string;
  /**
   * Names taken from there, as the other side calls them, or `theirs as ours`; `*` for all; empty when only the
   * module is named.
   */
  readonly names: readonly string[];
  /** The statement's lines, 1-based and inclusive. */
  readonly line: number;
  readonly endLine: number;
}

/** Why a file with a known language was read as plain text only. */
export type ParseProblem = 'parser-timeout' | 'parser-crashed' | 'too-complex' | 'no-grammar' | 'minified';

/** Everything that the parser found in one file's text. */
export interface ParsedFile {
  /** `id` in the language table, or null for text of no known language. */
  readonly language: string | null;
  readonly lineCount: number;
  /** In order of `start`; a container always comes before what it contains. */
  readonly symbols: readonly SymbolDefinition[];
  readonly imports: readonly ImportReference[];
  /** Set when the structure is missing or incomplete. */
  readonly problem: ParseProblem | null;
  /** The grammar met something it could not read; the symbols around it may be incomplete. */
  readonly hasSyntaxErrors: boolean;
}

/** The kinds of text that a word can be in; the index stores the number. */
export const WORD_FIELD = { code: 0, comment: 1, string: 2, definition: 3 } as const;

export type WordField = (typeof WORD_FIELD)[keyof typeof WORD_FIELD];

/** The distinct words of many files, as written, numbered in order of first occurrence. */
export interface Vocabulary {
  readonly words: readonly string[];
  idOf(word: string): number | undefined;
}

/** The words of one file as columns: occurrence `i` is word `distinct[occurrences[i]]` on line `lines[i]`, in text order. */
export interface FileWords {
  /** Numbers in the vocabulary, each once, in order of first occurrence. */
  readonly distinct: Uint32Array;
  readonly occurrences: Uint32Array;
  readonly lines: Uint32Array;
  readonly fields: Uint8Array;
}
