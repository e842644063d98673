import type { EdgeList, FileLinks } from '../../model/file-links.ts';
import type { ImportReference } from '../../model/import-reference.ts';
import type { ImportResolver, LinkContext } from '../../model/import-resolver.ts';
import type { LanguageLinks } from '../../model/scan-result.ts';
import { affectedNames, withRenames } from './affected-names.ts';
import { createFindDefiners } from './find-definers.ts';
import { findTestedSources } from './find-tested-sources.ts';
import {
  createMeaningOf,
  type ResolvedImport,
  resolveImports,
  type StatementMeaning,
} from './import-graph.ts';
import { definersOf, directTargets, sortedUnique } from './link-files.ts';
import { buildStatementTable, filesLeadingTo, type StatementRow, statementRows } from './statement-table.ts';

/** What a file imported and offered, before and now. */
export interface ChangedFile {
  readonly file: number;
  readonly language: string | null;
  readonly importsBefore: readonly ImportReference[];
  readonly exportsBefore: ReadonlySet<string>;
}

/** The files as they are now, by number; their paths are those that the links were made for. */
export interface RelinkedFiles {
  readonly paths: readonly string[];
  numberOf(path: string): number;
  importsOf(file: number): readonly ImportReference[];
  exportsOf(file: number): ReadonlySet<string>;
  /** False only when no import of the file takes one of these names, as it is or to rename it. */
  mayTake(file: number, names: ReadonlySet<string>): boolean;
  isTest(file: number): boolean;
  isSource(file: number): boolean;
  testedNames(path: string): readonly string[];
  /** Made when it is asked for the first time: it costs more than most changes. */
  context(): LinkContext;
  resolverOf(language: string): ImportResolver | null;
}

type Relinked = Pick<FileLinks, 'imports' | 'definers' | 'tests' | 'languages' | 'statements'>;

/**
 * Links again what the changed files can make a difference to, and gives what linking all files would give. Null
 * when more than that may have changed, and all files have to be linked.
 */
export function relinkFiles(
  before: FileLinks,
  changed: readonly ChangedFile[],
  now: RelinkedFiles,
): Relinked | null {
  const table = before.statements;
  if (!table) return null;
  const exportsOf = (path: string) => now.exportsOf(now.numberOf(path));
  const rows = new Map<number, readonly StatementRow[]>();
  const rowsOf = (file: number) => rows.get(file) ?? statementRows(table, file);
  const toMeanings = (file: number): StatementMeaning[] =>
    rowsOf(file).map(([statement, targets]) => ({ statement, targets: targets.map((at) => now.paths[at]!) }));

  const languages = resolveChanged(before.languages, changed, now, rows);
  if (!languages) return null;
  const direct = affectedNames(changed, now, (file) => statementRows(table, file), rowsOf);
  if (!direct) return null;
  const leading = filesLeadingTo(table, [...new Set(changed.map((one) => one.file))]);
  const names = withRenames(direct, leading, now);

  const resolvedImports = new Map<number, readonly ResolvedImport[]>();
  const resolvedOf = (file: number): readonly ResolvedImport[] => {
    let resolved = resolvedImports.get(file);
    if (!resolved) {
      resolved = resolveImports(now.importsOf(file), toMeanings(file), exportsOf);
      resolvedImports.set(file, resolved);
    }
    return resolved;
  };
  const find = createFindDefiners({ get: (path) => resolvedOf(now.numberOf(path)) }, exportsOf);
  const toNumbers = (paths: readonly string[]) => paths.map((path) => now.numberOf(path));
  const imports = new Map<number, readonly number[]>();
  const definers = new Map<number, readonly number[]>();
  for (const file of leading) {
    const isRewritten = rows.has(file);
    if (!isRewritten && names !== 'all' && !now.mayTake(file, names)) continue;
    const targets = toNumbers(directTargets(resolvedOf(file)));
    if (isRewritten) imports.set(file, targets);
    // passes something else on than before: whoever takes from it would have to be looked at, too
    else if (!isRow(before.imports, file, targets)) return null;
    const found = toNumbers(definersOf(now.paths[file]!, resolvedOf(file), find));
    if (!isRow(before.definers, file, found)) definers.set(file, found);
  }
  const newDefiners = replaceRows(before.definers, definers);
  const tests = new Map<number, readonly number[]>();
  for (const file of definers.keys()) {
    if (!now.isTest(file)) continue;
    const path = now.paths[file]!;
    const targets = newDefiners.targets.subarray(newDefiners.starts[file], newDefiners.starts[file + 1]);
    const test = {
      path,
      testedNames: now.testedNames(path),
      imports: Array.from(targets, (target) => now.paths[target]!),
    };
    const covered = findTestedSources(test, now.context(), (one) => now.isSource(now.numberOf(one)));
    tests.set(file, toNumbers(sortedUnique(covered)));
  }
  return {
    imports: replaceRows(before.imports, imports),
    definers: newDefiners,
    tests: replaceRows(before.tests, tests),
    languages,
    statements: rows.size > 0 ? buildStatementTable(rowsOf, now.paths.length) : table,
  };
}

/** Resolves the files whose imports changed and counts them anew; null when the count cannot be kept that way. */
function resolveChanged(
  languages: readonly LanguageLinks[],
  changed: readonly ChangedFile[],
  now: RelinkedFiles,
  rows: Map<number, readonly StatementRow[]>,
): readonly LanguageLinks[] | null {
  const counts = new Map(languages.map((one) => [one.language, { ...one }]));
  let meaningOf: ReturnType<typeof createMeaningOf> | null = null;
  for (const { file, language, importsBefore } of changed) {
    const imports = now.importsOf(file);
    if (isSameImports(importsBefore, imports) || language === null) continue;
    // packages that files declare decide about the imports of others; a language may come or go with its first import
    if (![...importsBefore, ...imports].every(({ kind }) => kind !== 'package')) return null;
    if (importsBefore.length === 0 || imports.length === 0) return null;
    meaningOf ??= createMeaningOf(now.context(), now.resolverOf);
    const path = now.paths[file]!;
    const gone = { imports: 0, resolved: 0, external: 0 };
    const come = { imports: 0, resolved: 0, external: 0 };
    const meanings = meaningOf({ path, language, imports }, come);
    if (!meanings) continue;
    meaningOf({ path, language, imports: importsBefore }, gone);
    const count = counts.get(language);
    if (!count) return null;
    counts.set(language, {
      language,
      imports: count.imports + come.imports - gone.imports,
      resolved: count.resolved + come.resolved - gone.resolved,
      external: count.external + come.external - gone.external,
    });
    rows.set(
      file,
      meanings.map(({ statement, targets }) => [statement, targets.map((target) => now.numberOf(target))]),
    );
  }
  return [...counts.values()];
}

export function isSameImports(left: readonly ImportReference[], right: readonly ImportReference[]): boolean {
  const text = (imports: readonly ImportReference[]) =>
    JSON.stringify(imports.map(({ kind, specifier, names }) => [kind, specifier, names]));
  return left.length === right.length && text(left) === text(right);
}

function isRow({ starts, targets }: EdgeList, file: number, row: readonly number[]): boolean {
  const first = starts[file]!;
  return (
    starts[file + 1]! - first === row.length && row.every((target, at) => targets[first + at] === target)
  );
}

function replaceRows(edges: EdgeList, rows: ReadonlyMap<number, readonly number[]>): EdgeList {
  if (rows.size === 0) return edges;
  const starts = new Uint32Array(edges.starts.length);
  const rowOf = (file: number) =>
    rows.get(file) ?? edges.targets.subarray(edges.starts[file], edges.starts[file + 1]);
  for (let file = 0; file + 1 < starts.length; file++) starts[file + 1] = starts[file]! + rowOf(file).length;
  const targets = new Uint32Array(starts.at(-1)!);
  for (let file = 0; file + 1 < starts.length; file++) targets.set(rowOf(file), starts[file]!);
  return { starts, targets };
}
