import type { ParseProblem } from '../../model/parsed-file.ts';
import type { RawDefinition, RawImport } from './language.ts';

export type LocatedImport = RawImport & { readonly start: number; readonly end: number };

/** What an engine finds in a text, before it becomes a `ParsedFile`. */
export interface RawStructure {
  readonly definitions: readonly RawDefinition[];
  readonly imports: readonly LocatedImport[];
  readonly problem: ParseProblem | null;
  readonly hasSyntaxErrors: boolean;
}

export function emptyStructure(problem: ParseProblem | null): RawStructure {
  return { definitions: [], imports: [], problem, hasSyntaxErrors: false };
}
