// Links again what a few changed files can affect. The result must be exactly what linking everything would give, so
// each doubtful case gives up and all files are linked.

import type { ImportResolver, LinkContext } from '../../model/import-resolver.ts';
import type { ImportReference } from '../../model/parsed-file.ts';
import type { EdgeList, FileLinks, LanguageLinks } from '../../model/snapshot.ts';
import { createFindDefiners, takenNames } from './find-definers.ts';
import {
  createMeaningOf,
  type ResolvedImport,
  resolveImports,
  type StatementMeaning,
} from './import-graph.ts';
import { definersOf, directTargets, findTestedSources, sortedUnique } from './link-files.ts';
import { buildStatementTable, filesLeadingTo, type StatementRow, statementRows } from './statement-table.ts';

/** A file whose imports or exports changed, with what it had before. */
interface ChangedFile {
  readonly file: number;
  readonly language: string | null;
  readonly importsBefore: readonly ImportReference[];
  readonly exportsBefore: ReadonlySet<string>;
}

/** The files as they are now, by number. Their paths are those that the links were made for. */
interface RelinkedFiles {
  readonly paths: readonly string[];
  numberOf(path: string): number;
  importsOf(file: number): readonly ImportReference[];
  exportsOf(file: number): ReadonlySet<string>;
  /** False only when no import of the file takes one of these names, as it is or to rename it. */
  mayTake(file: number, names: ReadonlySet<string>): boolean;
  isTest(file: number): boolean;
  isSource(file: number): boolean;
  testedNames(path: string): readonly string[];
  /** Made on first use: it costs more than most changes. */
  context(): LinkContext;
  resolverOf(language: string): ImportResolver | null;
}

type Relinked = Pick<FileLinks, 'imports' | 'definers' | 'tests' | 'languages' | 'statements'>;

/**
 * Links the files again that the changed ones can affect. Null when more may have changed, and all files have to be
 * linked.
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

  // Resolve the statements of the changed files.
  const languages = resolveChanged(before.languages, changed, now, rows);
  if (!languages) return null;
  // Find the names whose definition may have moved, and the files that may use them.
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
  // Compute the edges of these files again.
  const imports = new Map<number, readonly number[]>();
  const definers = new Map<number, readonly number[]>();
  for (const file of leading) {
    const isRewritten = rows.has(file);
    if (!isRewritten && names !== 'all' && !now.mayTake(file, names)) continue;
    const targets = toNumbers(directTargets(resolvedOf(file)));
    if (isRewritten) imports.set(file, targets);
    // It passes on something else now, so its importers would have to be linked again, too.
    else if (!isRow(before.imports, file, targets)) return null;
    const found = toNumbers(definersOf(now.paths[file]!, resolvedOf(file), find));
    if (!isRow(before.definers, file, found)) definers.set(file, found);
  }
  const newDefiners = replaceRows(before.definers, definers);
  // A test covers what it imports, so tests with new definers are computed again.
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

/**
 * Resolves the files whose imports changed and corrects the counts; null when the counts cannot be corrected that way.
 */
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
    // A declared package decides about imports of other files, and a language may appear or vanish with its first
    // import.
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

/** Lines may differ: only kind, specifier and names matter for links. */
function isSameImports(left: readonly ImportReference[], right: readonly ImportReference[]): boolean {
  const text = (imports: readonly ImportReference[]) =>
    JSON.stringify(imports.map(({ kind, specifier, names }) => [kind, specifier, names]));
  return left.length === right.length && text(left) === text(right);
}

/** Whether a file's row has exactly these targets. */
function isRow({ starts, targets }: EdgeList, file: number, row: readonly number[]): boolean {
  const first = starts[file]!;
  return (
    starts[file + 1]! - first === row.length && row.every((target, at) => targets[first + at] === target)
  );
}

/** A copy of the edges with some rows replaced. */
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

/** With more names, looking for each of them takes longer than linking all candidates. */
const MAX_NAMES = 64;

type RowsOf = (file: number) => readonly StatementRow[];

/**
 * The names whose definition may be in another file now. A search asks a file two things: whether it defines the name,
 * and where it takes the name from. Null when the meaning of a file depends on another changed file.
 */
function affectedNames(
  changed: readonly ChangedFile[],
  now: Pick<RelinkedFiles, 'importsOf' | 'exportsOf'>,
  rowsBefore: RowsOf,
  rowsNow: RowsOf,
): ReadonlySet<string> | 'all' | null {
  const changedFiles = new Set(changed.map(({ file }) => file));
  const names = new Set<string>();
  let isAll = false;
  for (const { file, importsBefore, exportsBefore } of changed) {
    const exports = now.exportsOf(file);
    for (const name of exportsBefore) if (!exports.has(name)) names.add(name);
    for (const name of exports) if (!exportsBefore.has(name)) names.add(name);
    const before = rowsBefore(file);
    const after = rowsNow(file);
    if (before !== after && hangsOnAnother([...before, ...after], file, changedFiles)) return null;
    const differing = differingStatements(
      before.map((row) => passageOf(row, importsBefore)),
      after.map((row) => passageOf(row, now.importsOf(file))),
    );
    if (differing === 'order' || differing.some(({ isWild }) => isWild)) isAll = true;
    else for (const { locals } of differing) for (const name of locals) names.add(name);
  }
  return isAll || names.size > MAX_NAMES ? 'all' : names;
}

/** Adds the names under which files pass an affected name on: `export { a as b }` affects `b`. */
function withRenames(
  names: ReadonlySet<string> | 'all',
  files: Iterable<number>,
  now: Pick<RelinkedFiles, 'importsOf' | 'mayTake'>,
): ReadonlySet<string> | 'all' {
  if (names === 'all') return names;
  const all = new Set(names);
  for (let added: ReadonlySet<string> = all; added.size > 0; ) {
    const next = new Set<string>();
    for (const file of files) {
      if (!now.mayTake(file, added)) continue;
      for (const reference of now.importsOf(file))
        for (const { name, local } of takenNames(reference))
          if (added.has(name) && !all.has(local)) next.add(local);
    }
    for (const name of next) all.add(name);
    if (all.size > MAX_NAMES) return 'all';
    added = next;
  }
  return all;
}

/** Whether a statement has several targets, one of them changed: which one it means depends on what they define. */
function hangsOnAnother(
  rows: readonly StatementRow[],
  self: number,
  changedFiles: ReadonlySet<number>,
): boolean {
  return rows.some(
    ([, targets]) =>
      targets.length > 1 && targets.some((target) => target !== self && changedFiles.has(target)),
  );
}

/** The names that a statement passes on, and their source. */
interface Passage {
  readonly key: string;
  /** The local names. Other files import these. */
  readonly locals: readonly string[];
  readonly isWild: boolean;
}

function passageOf([statement, targets]: StatementRow, imports: readonly ImportReference[]): Passage {
  const reference = imports[statement]!;
  // Other files ask for the local name.
  const locals = takenNames(reference).map(({ local }) => local);
  const key = JSON.stringify([reference.kind, reference.names, targets]);
  return { key, locals, isWild: locals.includes('*') };
}

/**
 * Statements that were added or removed; `order` when those that stayed changed places, because the first match wins.
 */
function differingStatements(
  before: readonly Passage[],
  after: readonly Passage[],
): readonly Passage[] | 'order' {
  const keysBefore = new Set(before.map(({ key }) => key));
  const keysAfter = new Set(after.map(({ key }) => key));
  const keptBefore = before.filter(({ key }) => keysAfter.has(key));
  const keptAfter = after.filter(({ key }) => keysBefore.has(key));
  const isSameOrder =
    keptBefore.length === keptAfter.length && keptBefore.every(({ key }, at) => key === keptAfter[at]!.key);
  if (!isSameOrder) return 'order';
  return [
    ...before.filter(({ key }) => !keysAfter.has(key)),
    ...after.filter(({ key }) => !keysBefore.has(key)),
  ];
}
