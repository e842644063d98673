import type { ImportReference } from '../../model/import-reference.ts';
import type { ChangedFile, RelinkedFiles } from './relink-files.ts';
import { takenNames } from './renamed-imports.ts';
import type { StatementRow } from './statement-table.ts';

/** So many names are in most files; looking for each of them takes longer than linking. */
const MOST_NAMES = 64;

type RowsOf = (file: number) => readonly StatementRow[];

/**
 * The names whose definer may be another one now: what a search for a name asks of a file is whether it defines
 * that name, and where it has the name from. Null when a file's meaning hangs on another changed file.
 */
export function affectedNames(
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
  return isAll || names.size > MOST_NAMES ? 'all' : names;
}

/** Adds the names under which files pass one of the names on: `export { a as b }` makes a difference to `b`. */
export function withRenames(
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
    if (all.size > MOST_NAMES) return 'all';
    added = next;
  }
  return all;
}

/** Which of several targets a statement means depends on what they define. */
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

/** What a statement passes on, and from where. */
interface Passage {
  readonly key: string;
  /** As the file itself calls what it takes, and as others take it from there. */
  readonly locals: readonly string[];
  readonly isWild: boolean;
}

function passageOf([statement, targets]: StatementRow, imports: readonly ImportReference[]): Passage {
  const reference = imports[statement]!;
  // others ask for what a name is called here
  const locals = takenNames(reference).map(({ local }) => local);
  const key = JSON.stringify([reference.kind, reference.names, targets]);
  return { key, locals, isWild: locals.includes('*') };
}

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
