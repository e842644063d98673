import type { ResolvedImport } from './import-graph.ts';
import { type PassedOn, readPassedOn } from './passed-on.ts';

const MAX_DEPTH = 8;
/** A name that so many files do not define is not going to be found. */
const MAX_VISITED = 256;

export type FindDefiners = (target: string, name: string) => readonly string[];

/**
 * Follows a name through files that pass it on (barrels, package roots, facades) to those that define it; what
 * passes it on is told from the imports alone, so that this works for every language. A name that is defined
 * nowhere stays with the last file that was named for it.
 */
export function createFindDefiners(
  importsOf: ReadonlyMap<string, readonly ResolvedImport[]>,
  exportsOf: (path: string) => ReadonlySet<string>,
): FindDefiners {
  const known = new Map<string, Map<string, readonly string[]>>();
  const passages = new Map<string, PassedOn>();

  function passedOnBy(path: string): PassedOn {
    let passed = passages.get(path);
    if (!passed) {
      passed = readPassedOn(importsOf.get(path) ?? []);
      passages.set(path, passed);
    }
    return passed;
  }

  function search(target: string, name: string): readonly string[] {
    const visited = new Set([target]);
    let named: readonly string[] = [target];
    let level: readonly string[] = named;
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
      const found = level.filter((path) => exportsOf(path).has(name));
      if (found.length > 0) return found;
      const exact: string[] = [];
      const wild: string[] = [];
      const enter = (next: string, into: string[]) => {
        if (visited.has(next) || visited.size >= MAX_VISITED) return;
        visited.add(next);
        into.push(next);
      };
      for (const path of level) {
        const passed = passedOnBy(path);
        for (const next of passed.named(name)) enter(next, exact);
        for (const next of passed.wild(name)) enter(next, wild);
      }
      if (exact.length > 0) named = exact;
      level = [...exact, ...wild];
    }
    return named;
  }

  return (target, name) => {
    // most imports name the file that defines: no need to remember those
    if (exportsOf(target).has(name)) return [target];
    let ofTarget = known.get(target);
    if (!ofTarget) {
      ofTarget = new Map();
      known.set(target, ofTarget);
    }
    let answer = ofTarget.get(name);
    if (!answer) {
      answer = search(target, name);
      ofTarget.set(name, answer);
    }
    return answer;
  };
}
