import type { ImportReference } from './import-reference.ts';
import type { SymbolDefinition } from './symbol.ts';

/** Why a file with a known language was read as plain text only. */
export type ParseProblem = 'parser-timeout' | 'parser-crashed' | 'too-complex' | 'no-grammar' | 'minified';

/** What the parser knows about one file's text. */
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
