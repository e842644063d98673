import type { ResolvedImport } from './import-graph.ts';
import { type PassedOn, type Place, readPassedOn } from './passed-on.ts';

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
  importsOf: { get(path: string): readonly ResolvedImport[] | undefined },
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

  function search(target: string, wanted: string): readonly string[] {
    const visited = new Set([keyOf(target, wanted)]);
    let level: readonly Place[] = [{ path: target, name: wanted }];
    let named = level;
    for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
      const found = level.filter(({ path, name }) => name === '*' || exportsOf(path).has(name));
      if (found.length > 0) return pathsOf(found);
      const exact: Place[] = [];
      const wild: Place[] = [];
      const enter = (next: Place, into: Place[]) => {
        const key = keyOf(next.path, next.name);
        if (visited.has(key) || visited.size >= MAX_VISITED) return;
        visited.add(key);
        into.push(next);
      };
      for (const { path, name } of level) {
        const passed = passedOnBy(path);
        for (const next of passed.named(name)) enter(next, exact);
        for (const next of passed.wild(name)) enter({ path: next, name }, wild);
      }
      if (exact.length > 0) named = exact;
      level = [...exact, ...wild];
    }
    return pathsOf(named);
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

function keyOf(path: string, name: string): string {
  return `${name}\0${path}`;
}

function pathsOf(places: readonly Place[]): readonly string[] {
  return [...new Set(places.map(({ path }) => path))];
}
