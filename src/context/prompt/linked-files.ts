import type { EdgeList } from '../../model/file-links.ts';
import type { IndexView } from '../../model/index-view.ts';

/** Files by number whose edges lead from these files, nearest first, up to a depth. */
export function importsOfFiles(
  { links, snapshot }: IndexView,
  paths: readonly string[],
  depth: number,
): string[] {
  const numbers = new Map(snapshot.files.map(({ path }, number) => [path, number]));
  const start = paths.flatMap((path) => numbers.get(path) ?? []);
  const seen = new Set(start);
  const found: number[] = [];
  let edge = start;
  for (let level = 0; level < depth && edge.length > 0; level += 1) {
    const next = edge.flatMap((file) => {
      // who defines it, barrels followed; where that is not known, what the statement names
      const definers = targetsOf(links.definers, file);
      return definers.length > 0 ? definers : targetsOf(links.imports, file);
    });
    edge = [...new Set(next)].filter((file) => !seen.has(file));
    for (const file of edge) seen.add(file);
    found.push(...edge);
  }
  return found.map((file) => snapshot.files[file]!.path);
}

/** Tests that cover one of these files, those that cover most of them first. */
export function testsOfFiles({ links, snapshot }: IndexView, paths: readonly string[]): string[] {
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
