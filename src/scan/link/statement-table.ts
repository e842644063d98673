// The targets of all import statements as columns of numbers, as the index stores them. Relinking needs them: without
// them every file would have to be resolved again.
import type { StatementTargets } from '../../model/snapshot.ts';

/** A statement's number among those of its file, and the numbers of the files that it may mean. */
export type StatementRow = readonly [statement: number, targets: readonly number[]];

/** Lays statements out by file. Equal lists of targets are stored once, in the order of their first use. */
export function buildStatementTable(rowsOf: (file: number) => readonly StatementRow[], files: number) {
  const starts = new Uint32Array(files + 1);
  const statements: number[] = [];
  const lists: number[] = [];
  const listStarts: number[] = [0];
  const listTargets: number[] = [];
  const single = new Map<number, number>();
  const several = new Map<string, number>();

  function listNumber(targets: readonly number[]): number {
    const known = targets.length === 1 ? single.get(targets[0]!) : several.get(targets.join());
    if (known !== undefined) return known;
    const number = listStarts.length - 1;
    for (const target of targets) listTargets.push(target);
    listStarts.push(listTargets.length);
    if (targets.length === 1) single.set(targets[0]!, number);
    else several.set(targets.join(), number);
    return number;
  }

  for (let file = 0; file < files; file++) {
    for (const [statement, targets] of rowsOf(file)) {
      statements.push(statement);
      lists.push(listNumber(targets));
    }
    starts[file + 1] = statements.length;
  }
  return {
    starts,
    statements: Uint32Array.from(statements),
    lists: Uint32Array.from(lists),
    listStarts: Uint32Array.from(listStarts),
    listTargets: Uint32Array.from(listTargets),
  } satisfies StatementTargets;
}

/** The statements of one file. */
export function statementRows(table: StatementTargets, file: number): StatementRow[] {
  const rows: StatementRow[] = [];
  for (let at = table.starts[file]!; at < table.starts[file + 1]!; at++) {
    const list = table.lists[at]!;
    const targets = table.listTargets.subarray(table.listStarts[list], table.listStarts[list + 1]);
    rows.push([table.statements[at]!, [...targets]]);
  }
  return rows;
}

/** The given files and all files that reach them through any of their statements, over any number of steps. */
export function filesLeadingTo(table: StatementTargets, given: readonly number[]): ReadonlySet<number> {
  const { starts, lists, listStarts, listTargets } = table;
  const listCount = listStarts.length - 1;
  const listsOfTarget = groupBy(starts.length - 1, listCount, listStarts, listTargets);
  const filesOfList = groupBy(listCount, starts.length - 1, starts, lists);
  const reached = new Set(given);
  const seenLists = new Set<number>();
  const waiting = [...given];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop())
    for (const list of listsOfTarget(file)) {
      if (seenLists.has(list)) continue;
      seenLists.add(list);
      for (const user of filesOfList(list)) {
        if (reached.has(user)) continue;
        reached.add(user);
        waiting.push(user);
      }
    }
  return reached;
}

/** Inverts `owner -> values` with a counting sort: returns the owners of a value. */
function groupBy(
  valueCount: number,
  ownerCount: number,
  starts: Uint32Array,
  values: Uint32Array,
): (value: number) => Uint32Array {
  const places = new Uint32Array(valueCount + 1);
  for (const value of values) places[value + 1]!++;
  for (let value = 0; value < valueCount; value++) places[value + 1]! += places[value]!;
  const owners = new Uint32Array(values.length);
  const next = places.slice();
  for (let owner = 0; owner < ownerCount; owner++)
    for (let at = starts[owner]!; at < starts[owner + 1]!; at++) owners[next[values[at]!]!++] = owner;
  return (value) => owners.subarray(places[value], places[value + 1]);
}
