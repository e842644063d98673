import { PATTERN_VARIABLES, STAGED_DIFF } from '../roles/field-kinds.ts';

type VariableName = (typeof PATTERN_VARIABLES)[number];

export interface PatternVariable {
  readonly pattern: string;
  readonly name: VariableName;
  /** Of `$TARGET_IMPORTS:3`; how far to follow imports. */
  readonly depth: number;
}

export interface ReadPatterns {
  readonly globs: readonly string[];
  readonly variables: readonly PatternVariable[];
  readonly wantsStagedDiff: boolean;
  readonly unknown: readonly string[];
}

const VARIABLE = /^(\$[A-Z_]+)(?::([1-9]))?$/;

/** Tells the globs of a role's list from what stands for more. */
export function readPatterns(patterns: readonly string[]): ReadPatterns {
  const globs: string[] = [];
  const variables: PatternVariable[] = [];
  const unknown: string[] = [];
  for (const pattern of patterns) {
    if (pattern === STAGED_DIFF) continue;
    if (!pattern.startsWith('$')) {
      globs.push(pattern);
      continue;
    }
    const variable = readVariable(pattern);
    if (variable) variables.push(variable);
    else unknown.push(pattern);
  }
  return { globs, variables, unknown, wantsStagedDiff: patterns.includes(STAGED_DIFF) };
}

function readVariable(pattern: string): PatternVariable | null {
  const [, word, depth] = VARIABLE.exec(pattern) ?? [];
  const name = PATTERN_VARIABLES.find((known) => known === word);
  if (name === undefined || (depth !== undefined && name !== '$TARGET_IMPORTS')) return null;
  return { pattern, name, depth: depth === undefined ? 1 : Number(depth) };
}
