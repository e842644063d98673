import type { Diagnostic } from '../../model/diagnostic.ts';
import type { IndexView } from '../../model/index-view.ts';
import type { EdgeList } from '../../model/snapshot.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { PATTERN_VARIABLES, type Role, STAGED_DIFF } from '../roles/index.ts';
import type { PatternUse } from './prompt-parts.ts';

// Turns the file lists of a role into files: globs are matched against the index, and variables such as `$TESTS` are
// replaced by the files that they stand for.

/** The files that a role asks for, and those that it may see. */
export interface RoleFiles {
  readonly include: ReadPatterns;
  /** By the name of the field in a role file. */
  readonly lists: Readonly<Record<PatternUse['field'], ReadPatterns>>;
  /** The files of `always_include`, in the order of the patterns. */
  readonly always: readonly string[];
  /** The files that globs in `include` match. */
  readonly plain: readonly string[];
  /** For files that were named: inside `path_restrictions`. */
  readonly maySee: (path: string) => boolean;
  /** For files that were found: inside `path_restrictions` and not excluded. */
  readonly allow: (path: string) => boolean;
  /** The files that a variable stands for. `$RELATED` needs a ranking, so it has none here. */
  readonly filesOf: (variable: PatternVariable) => readonly string[];
  readonly patterns: readonly PatternUse[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Other letters have more than one encoding, so a plain text search could miss them. */
const IS_ASCII = /^[\x20-\x7e]*$/;

interface RoleFilesRequest {
  readonly index: IndexView;
  readonly context: Role['context'];
  /** Relative to the root. */
  readonly targets: readonly string[];
  /** Files of the change. */
  readonly changed: readonly string[];
}

/** Resolves all file lists of a role against the index. */
export function resolveRoleFiles({ index, context, targets, changed }: RoleFilesRequest): RoleFiles {
  const readable = index.snapshot.files.filter(({ skip }) => skip === null).map(({ path }) => path);
  const filesOf = ({ name, depth }: PatternVariable): readonly string[] => {
    if (name === '$TARGET') return targets;
    if (name === '$CHANGED_FILES') return changed;
    if (name === '$TESTS') return testsOfFiles(index, targets.length > 0 ? targets : changed);
    if (name === '$TARGET_IMPORTS')
      return importsOfFiles(index, targets.length > 0 ? targets : changed, depth);
    return [];
  };
  const lists = {
    include: readPatterns(context.include),
    always_include: readPatterns(context.alwaysInclude),
    exclude: readPatterns(context.exclude),
    path_restrictions: readPatterns(context.pathRestrictions),
  };
  // The files that the role may see: its restrictions, minus its exclusions.
  const covers = (list: ReadPatterns): ((path: string) => boolean) => {
    const named = new Set(list.variables.flatMap(filesOf));
    const filter = list.globs.length > 0 ? createPathFilter(list.globs, []) : null;
    return (path) => named.has(path) || (filter?.accepts(path) ?? false);
  };
  const isInside = context.pathRestrictions.length === 0 ? () => true : covers(lists.path_restrictions);
  const isExcluded = covers(lists.exclude);
  const allow = (path: string) => isInside(path) && !isExcluded(path);
  // The files that the role asks for, with a count for each pattern.
  const patterns: PatternUse[] = [];
  const matched = (field: 'include' | 'always_include', isWanted: (path: string) => boolean) =>
    lists[field].globs.flatMap((pattern) => {
      const filter = createPathFilter([pattern], []);
      const literal = literalInPattern(pattern);
      const mayMatch = (path: string) => path.includes(literal) || !IS_ASCII.test(path);
      const found = readable.filter((path) => mayMatch(path) && isWanted(path) && filter.accepts(path));
      patterns.push({ pattern, field, files: found.length });
      return found;
    });
  const always = [
    ...matched('always_include', isInside),
    ...lists.always_include.variables.flatMap(filesOf).filter(isInside),
  ];
  return {
    include: lists.include,
    lists,
    always: [...new Set(always)],
    plain: [...new Set(matched('include', allow))],
    maySee: isInside,
    allow,
    filesOf,
    patterns,
    diagnostics: Object.entries(lists).flatMap(([field, list]) => complaints(field, list)),
  };
}

/** The same without the files that guidelines keep from the role. */
export function guardedFiles(files: RoleFiles, mayShow: (path: string) => boolean): RoleFiles {
  return {
    ...files,
    always: files.always.filter(mayShow),
    plain: files.plain.filter(mayShow),
    maySee: (path) => mayShow(path) && files.maySee(path),
    allow: (path) => mayShow(path) && files.allow(path),
    filesOf: (variable) => files.filesOf(variable).filter(mayShow),
  };
}

/** Warnings about variables that are unknown, or that have no meaning in this list. */
function complaints(field: string, { unknown, variables, wantsStagedDiff }: ReadPatterns): Diagnostic[] {
  const misplaced = field === 'include' ? [] : variables.filter(({ name }) => name === '$RELATED');
  const without = [
    ...misplaced.map(({ pattern }) => pattern),
    ...(wantsStagedDiff && field !== 'include' ? ['git diff --cached'] : []),
  ];
  return [
    ...unknown.map((pattern) => variableNote(field, pattern, 'there is no such variable')),
    ...without.map((pattern) => variableNote(field, pattern, 'it is allowed only in include')),
  ];
}

function variableNote(field: string, pattern: string, why: string): Diagnostic {
  const message = `context.${field}: ${JSON.stringify(pattern.slice(0, 80))} is ignored: ${why}`;
  return { code: 'unknown-variable', severity: 'warning', message };
}

const MORE_THAN_STARS = /[[\]{}\\]|[^\x20-\x7e]/;

/**
 * A text that every matching path contains; empty when the pattern has none. Searching for it is much faster than
 * matching the pattern, and rules out nearly all of thousands of paths.
 */
export function literalInPattern(pattern: string): string {
  if (MORE_THAN_STARS.test(pattern)) return '';
  const runs = pattern.split(/[*?]+/).map((run) => run.replace(/^(?:\.?\/)+|\/+$/g, ''));
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest), '');
}

/** The files that these files import, directly or over up to `depth` steps, the nearest first. */
function importsOfFiles({ links, snapshot }: IndexView, paths: readonly string[], depth: number): string[] {
  const numbers = new Map(snapshot.files.map(({ path }, number) => [path, number]));
  const start = paths.flatMap((path) => numbers.get(path) ?? []);
  const seen = new Set(start);
  const found: number[] = [];
  let edge = start;
  for (let level = 0; level < depth && edge.length > 0; level += 1) {
    const next = edge.flatMap((file) => {
      // The files that define the imported names, behind barrels. If these are not known, the imported file itself.
      const definers = targetsOf(links.definers, file);
      return definers.length > 0 ? definers : targetsOf(links.imports, file);
    });
    edge = [...new Set(next)].filter((file) => !seen.has(file));
    for (const file of edge) seen.add(file);
    found.push(...edge);
  }
  return found.map((file) => snapshot.files[file]!.path);
}

/** The tests of these files. Tests that cover most of them come first. */
function testsOfFiles({ links, snapshot }: IndexView, paths: readonly string[]): string[] {
  const wanted = new Set(paths);
  const covers = (file: number) =>
    targetsOf(links.tests, file).filter((target) => wanted.has(snapshot.files[target]!.path)).length;
  const found = snapshot.files.flatMap(({ path }, file) => {
    const count = covers(file);
    return count > 0 && !wanted.has(path) ? [{ path, count }] : [];
  });
  return found.sort((one, other) => other.count - one.count).map(({ path }) => path);
}

function targetsOf({ starts, targets }: EdgeList, file: number): number[] {
  return [...targets.subarray(starts[file] ?? 0, starts[file + 1] ?? 0)];
}

type VariableName = (typeof PATTERN_VARIABLES)[number];

/** A variable in a file list. */
interface PatternVariable {
  /** As written in the role file. */
  readonly pattern: string;
  readonly name: VariableName;
  /** How many steps of imports to follow: 3 for `$TARGET_IMPORTS:3`, else 1. */
  readonly depth: number;
}

/** A file list, sorted by what its entries are. */
interface ReadPatterns {
  readonly globs: readonly string[];
  readonly variables: readonly PatternVariable[];
  readonly wantsStagedDiff: boolean;
  /** Entries that begin with `$` but are not a variable. */
  readonly unknown: readonly string[];
}

const VARIABLE = /^(\$[A-Z_]+)(?::([1-9]))?$/;

/** Separates the globs of a role's list from its variables. */
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
