// Follows imported names to the files that define them. `index.ts`, `__init__.py` and the like only pass names on: an
// edge to them says little, and an edge to the definition says what a file really uses.
import type { ImportReference } from '../../model/parsed-file.ts';
import type { ResolvedImport } from './import-graph.ts';

/** Files that a name passes through at most. */
const MAX_DEPTH = 8;
/** After this many files without a definition the search gives up. */
const MAX_VISITED = 256;

/** The files that define a name, when it is imported from `target`. */
export type FindDefiners = (target: string, name: string) => readonly string[];

/**
 * Follows a name through files that pass it on (barrels, package roots, facades) to the files that define it. The
 * imports alone tell which names a file passes on, so this works for every language. A name that is defined nowhere
 * stays with the last file that was named for it.
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
      // Level by level, so that the nearest definition wins.
      const found = level.filter(({ path, name }) => name === '*' || exportsOf(path).has(name));
      if (found.length > 0) return pathsOf(found);
      // Names that a file passes on by name come before those of a wildcard.
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
    // Most imports name the defining file itself. These need no memory.
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

/** A file, and the name to look for in it. */
interface Place {
  readonly path: string;
  /** `*` means the file as a whole. */
  readonly name: string;
}

/** The sources of the names that a file passes on. */
interface PassedOn {
  /** Files that a name is taken from, because an import says so or because the file is called like the name. */
  named(name: string): readonly Place[];
  /** Files of wildcard imports; empty for a name that is passed on by name. */
  wild(name: string): readonly string[];
}

/** Names of files that stand for their folder, in several languages. */
const PACKAGE_ROOT = /^(index|__init__|mod|init)$/;
const NONE: readonly never[] = [];

/** Computed once for each file: some barrels have hundreds of statements and thousands of importers. */
function readPassedOn(imports: readonly ResolvedImport[]): PassedOn {
  const said = new Map<string, Place[]>();
  const alike = new Map<string, Place[]>();
  const everything: string[] = [];
  for (const one of imports) {
    const isReexport = one.reference.kind === 'reexport';
    for (const { name, local } of takenNames(one.written)) {
      if (local === '*') {
        everything.push(...one.targets);
        // `export * from './button'`: the file name is a strong hint for the name that it exports.
        if (isReexport)
          for (const path of one.targets) append(alike, simplified(moduleNameOf(path)), [{ path, name }]);
      } else if (local !== 'default' || isReexport)
        append(said, local, placesOf(targetsFor(one, name), name));
    }
  }
  if (!said.has('default')) said.set('default', []);
  return {
    named: (name) =>
      said.get(name) ?? alike.get(simplified(name))?.map(({ path }) => ({ path, name })) ?? NONE,
    wild: (name) => (said.has(name) ? NONE : everything),
  };
}

function placesOf(paths: readonly string[], name: string): readonly Place[] {
  return paths.map((path) => ({ path, name }));
}

/** Of several targets of one statement, the module called like the name; otherwise those that no other name claims. */
export function targetsFor({ reference, targets }: ResolvedImport, name: string): readonly string[] {
  if (targets.length < 2) return targets;
  const called = targets.filter((target) => moduleNameOf(target) === name);
  if (called.length > 0) return called;
  const rest = targets.filter((target) => !reference.names.includes(moduleNameOf(target)));
  return rest.length > 0 ? rest : targets;
}

/** `user-card`, `UserCard` and `user_card` are the same. */
function simplified(name: string): string {
  return name.replace(/[-_.]/g, '').toLowerCase();
}

/** `user` for `user.ts`, `user/index.ts`, `user/__init__.py` and `user/mod.rs`. */
function moduleNameOf(path: string): string {
  const slash = path.lastIndexOf('/');
  const dot = path.indexOf('.', slash + 1);
  const stem = path.slice(slash + 1, dot < 0 ? undefined : dot);
  if (slash < 0 || !PACKAGE_ROOT.test(stem)) return stem;
  return path.slice(path.lastIndexOf('/', slash - 1) + 1, slash);
}

function append(map: Map<string, Place[]>, key: string, places: readonly Place[]): void {
  const known = map.get(key);
  if (known) known.push(...places);
  else map.set(key, [...places]);
}

/** A name of another file, and what the importing file calls it. */
interface TakenName {
  readonly name: string;
  readonly local: string;
}

/** How `ImportReference.names` writes a rename. */
const AS = ' as ';

/** The names of a statement, on both sides of `as`. */
export function takenNames({ names }: ImportReference): readonly TakenName[] {
  return names.map((entry) => {
    const at = entry.indexOf(AS);
    return at < 0
      ? { name: entry, local: entry }
      : { name: entry.slice(0, at), local: entry.slice(at + AS.length) };
  });
}

/** The reference with the names of the other file only. Resolvers do not know local names. */
export function withoutRenames(reference: ImportReference): ImportReference {
  if (!reference.names.some((entry) => entry.includes(AS))) return reference;
  return { ...reference, names: [...new Set(takenNames(reference).map(({ name }) => name))] };
}
