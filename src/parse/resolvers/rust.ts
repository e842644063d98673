import type { ImportResolver, LinkContext, Resolution } from '../../model/import-resolver.ts';
import { type Crate, readCrates } from './cargo-manifest.ts';
import { nearestAbove, nearestTo } from './nearest.ts';
import { folderOf, joinWithin, stemOf } from './repository-path.ts';
import { EXTERNAL, resolvedOr, UNRESOLVED } from './resolution.ts';

/** Where a file stands in a module tree: the folder the tree starts in and the modules down to the file. */
interface Place {
  readonly base: string;
  readonly modules: readonly string[];
}

const STANDARD = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
/** Files here are the roots of crates of their own: binaries, examples, integration tests, benchmarks. */
const OWN_CRATES = /^(?:src\/bin|examples|tests|benches)\/([^/]+?)(?:\.rs$|\/)/;

/** `mod` to child files; `use` paths to the deepest module that has a file. The module tree is told from paths. */
export const rustResolver: ImportResolver = (context) => {
  const crates = readCrates(context);
  const places = new Map<string, Place>();
  const placeOf = (path: string): Place => {
    let place = places.get(path);
    if (!place) {
      place = readPlace(path, nearestAbove(crates, folderOf(path)), context);
      places.set(path, place);
    }
    return place;
  };

  function deepest(base: string, modules: readonly string[], least: number): string | null {
    for (let length = modules.length; length >= least; length--) {
      const found = moduleFile(context, base, modules.slice(0, length));
      if (found !== null) return found;
    }
    return null;
  }

  function crateNamed(name: string, from: string): Crate | null {
    const own = nearestAbove(crates, folderOf(from));
    const wanted = own?.renamed.get(name) ?? name;
    const named = [...crates.values()].filter((one) => one.name === wanted);
    const nearest =
      named.length > 1
        ? nearestTo(
            from,
            named.map((one) => one.libraryRoot),
          )
        : null;
    return named.find((one) => nearest === null || one.libraryRoot === nearest) ?? null;
  }

  function outside(from: string, path: readonly string[], place: Place): Resolution {
    const [first = '', ...rest] = path;
    if (STANDARD.has(first)) return EXTERNAL;
    const child = deepest(place.base, [...place.modules, ...path], place.modules.length + 1);
    // in the 2015 edition paths start at the root of the crate
    const local = child ?? deepest(place.base, path, 1);
    if (local !== null) return resolvedOr(local, UNRESOLVED);
    const crate = crateNamed(first, from);
    if (!crate) return EXTERNAL;
    const inCrate = deepest(folderOf(crate.libraryRoot), rest, 1);
    const root = context.has(crate.libraryRoot)
      ? crate.libraryRoot
      : moduleFile(context, joinWithin(crate.folder, 'src')!, []);
    return resolvedOr(inCrate ?? root, UNRESOLVED);
  }

  function resolve(from: string, path: readonly string[]): Resolution {
    const place = placeOf(from);
    let at = 0;
    let modules: readonly string[] | null = null;
    for (; at < path.length; at++) {
      const word = path[at]!;
      if (word === 'crate') modules = [];
      else if (word === 'self') modules ??= place.modules;
      // above the root only a module inside the file itself can be meant
      else if (word === 'super') modules = (modules ?? place.modules).slice(0, -1);
      else break;
    }
    if (modules === null) return outside(from, path, place);
    return resolvedOr(deepest(place.base, [...modules, ...path.slice(at)], 0), UNRESOLVED);
  }

  const known = new Map<string, Map<string, Resolution>>();
  return (from, { kind, specifier, names }) => {
    if (kind === 'module') {
      const { base, modules } = placeOf(from);
      return resolvedOr(moduleFile(context, base, [...modules, specifier]), UNRESOLVED);
    }
    const ofFile = known.get(from) ?? new Map<string, Resolution>();
    known.set(from, ofFile);
    const answerFor = (path: string): Resolution => {
      const answer = ofFile.get(path) ?? resolve(from, path.split('::').filter(Boolean));
      ofFile.set(path, answer);
      return answer;
    };
    // a name may be a module itself
    const answers = names
      .filter((name) => /^\w+$/.test(name))
      .map((name) => answerFor(`${specifier}::${name}`));
    if (answers.length === 0) return answerFor(specifier);
    const paths = answers.flatMap((answer) => (answer.kind === 'resolved' ? answer.paths : []));
    return paths.length > 0 ? { kind: 'resolved', paths: [...new Set(paths)] } : answers[0]!;
  };
};

function moduleFile(context: LinkContext, base: string, modules: readonly string[]): string | null {
  const stems =
    modules.length === 0 ? ['lib', 'main', 'mod'] : [modules.join('/'), `${modules.join('/')}/mod`];
  for (const stem of stems) {
    const path = base === '' ? `${stem}.rs` : `${base}/${stem}.rs`;
    if (context.has(path)) return path;
  }
  return null;
}

function readPlace(path: string, crate: Crate | undefined, context: LinkContext): Place {
  const folder = crate?.folder ?? '';
  const inCrate = folder === '' ? path : path.slice(folder.length + 1);
  const ownCrate = OWN_CRATES.exec(inCrate);
  let base = crate ? folderOf(crate.libraryRoot) : 'src';
  if (ownCrate) {
    const start = inCrate.slice(0, inCrate.indexOf(ownCrate[1]!, ownCrate[0].lastIndexOf(ownCrate[1]!)) - 1);
    const own = joinWithin(folder, `${start}/${ownCrate[1]}`)!;
    base = context.has(`${own}/main.rs`) ? own : joinWithin(folder, start)!;
  } else if (!path.startsWith(base === '' ? '' : `${base}/`)) base = folderOf(path);
  const rest = (base === '' ? path : path.slice(base.length + 1)).replace(/\.rs$/, '').split('/');
  const isRoot =
    rest.length === 1 &&
    (/^(lib|main|build|mod)$/.test(rest[0]!) ||
      path === crate?.libraryRoot ||
      (ownCrate !== null && path === `${base}/${stemOf(path)}.rs` && isTarget(inCrate)));
  if (isRoot) return { base, modules: [] };
  return { base, modules: rest.at(-1) === 'mod' ? rest.slice(0, -1) : rest };
}

/** `tests/api.rs`, `src/bin/tool.rs`: one file, one crate. */
function isTarget(inCrate: string): boolean {
  return /^(src\/bin|examples|tests|benches)\/[^/]+\.rs$/.test(inCrate);
}
