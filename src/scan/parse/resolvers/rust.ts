// Imports of Rust. Paths tell the module tree, and `Cargo.toml` files tell the crates, their names and their edition.
import type { ImportResolver, LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { folderOf, isInside, joinWithin } from './repository-path.ts';
import {
  EXTERNAL,
  filesEndingWith,
  nearestAbove,
  nearestTo,
  resolvedOr,
  resolvedTo,
  UNRESOLVED,
} from './resolution.ts';

/** The position of a file in a module tree: the folder where the tree starts, and the modules down to the file. */
interface Place {
  readonly base: string;
  readonly modules: readonly string[];
}

const STANDARD = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
/** Files and folders here are crates of their own: binaries, examples, integration tests, benchmarks. */
const OWN_CRATE = /^(src\/bin|examples|tests|benches)\/([^/]+?)(\/|\.rs$)/;
const ROOT_STEM = /^(lib|main|build|mod)$/;

/** `mod` to child files; `use` paths to the deepest module that has a file. Paths tell the module tree. */
export const rustResolver: ImportResolver = (context) => {
  const crates = readCrates(context);
  const byName = new Map<string, Crate[]>();
  for (const crate of crates.values()) byName.set(crate.name, [...(byName.get(crate.name) ?? []), crate]);
  const places = new Map<string, Place>();
  const placeOf = (path: string): Place => {
    let place = places.get(path);
    if (!place) {
      place = readPlace(path, nearestAbove(crates, folderOf(path)), context);
      places.set(path, place);
    }
    return place;
  };

  /** The file of the longest path that is a module. Further names are items in it. */
  function deepest(base: string, modules: readonly string[], least: number): string | null {
    for (let length = modules.length; length >= least; length--) {
      const found = moduleFile(context, base, modules.slice(0, length));
      if (found !== null) return found;
    }
    return null;
  }

  function crateNamed(name: string, own: Crate | undefined, from: string): Crate | null {
    const named = byName.get(own?.renamed.get(name) ?? name) ?? [];
    const roots = named.map((one) => one.libraryRoot);
    const nearest = named.length > 1 ? nearestTo(from, roots) : roots[0];
    return named.find((one) => one.libraryRoot === nearest) ?? null;
  }

  /**
   * A path that starts with neither `crate`, `self` nor `super`: a child module, another crate, or the standard
   * library.
   */
  function outside(from: string, path: readonly string[], place: Place): Resolution {
    const [first = '', ...rest] = path;
    if (STANDARD.has(first)) return EXTERNAL;
    const child = deepest(place.base, [...place.modules, ...path], place.modules.length + 1);
    const own = nearestAbove(crates, folderOf(from));
    // In the 2015 edition paths start at the root of the crate.
    const local = child ?? (own?.isFirstEdition ? deepest(place.base, path, 1) : null);
    if (local !== null) return resolvedTo(local);
    const crate = crateNamed(first, own, from);
    if (!crate) return EXTERNAL;
    const inCrate = deepest(folderOf(crate.libraryRoot), rest, 1);
    const root = context.has(crate.libraryRoot) ? crate.libraryRoot : null;
    return resolvedOr(
      inCrate ?? root ?? moduleFile(context, joinWithin(crate.folder, 'src')!, []),
      UNRESOLVED,
    );
  }

  function resolve(from: string, path: readonly string[]): Resolution {
    const place = placeOf(from);
    let at = 0;
    let modules: readonly string[] | null = null;
    for (; at < path.length; at++) {
      const word = path[at]!;
      if (word === 'crate') modules = [];
      else if (word === 'self') modules ??= place.modules;
      // Above the root, only a module inside the file itself can be meant.
      else if (word === 'super') modules = (modules ?? place.modules).slice(0, -1);
      else break;
    }
    if (modules === null) return outside(from, path, place);
    const found = deepest(place.base, [...modules, ...path.slice(at)], 1);
    return resolvedOr(found ?? rootOf(from, place), UNRESOLVED);
  }

  /** Seen from the root of a crate, the root is the file itself, whichever of several roots that is. */
  function rootOf(from: string, { base, modules }: Place): string | null {
    if (modules.length === 0) return from;
    const library = nearestAbove(crates, folderOf(from))?.libraryRoot ?? '';
    return folderOf(library) === base && context.has(library) ? library : moduleFile(context, base, []);
  }

  /** Beside the file; else, for a `mod` inside an inline `mod` or with a path of its own, the only one below. */
  function childModule(from: string, name: string): string | null {
    const { base, modules } = placeOf(from);
    const direct = moduleFile(context, base, [...modules, name]);
    if (direct !== null) return direct;
    const folder = [base, ...modules].filter(Boolean).join('/');
    const below = [...context.named(`${name}.rs`), ...filesEndingWith(context, `${name}/mod.rs`)].filter(
      (path) => path !== from && isInside(path, folder),
    );
    return below.length === 1 ? below[0]! : null;
  }

  return (from, { kind, specifier, names }) => {
    if (kind === 'include') {
      const path = joinWithin(folderOf(from), specifier);
      return resolvedOr(path !== null && context.has(path) ? path : null, UNRESOLVED);
    }
    if (kind === 'module') return resolvedOr(childModule(from, specifier), UNRESOLVED);
    const answerFor = (path: string): Resolution => resolve(from, path.split('::').filter(Boolean));
    // a name may be a module itself
    const answers = names
      .filter((name) => /^\w+$/.test(name))
      .map((name) => answerFor(`${specifier}::${name}`));
    if (answers.length === 0) return answerFor(specifier);
    const paths = answers.flatMap((answer) => (answer.kind === 'resolved' ? answer.paths : []));
    return paths.length > 0 ? { kind: 'resolved', paths: [...new Set(paths)] } : answers[0]!;
  };
};

/** `a/b.rs` or `a/b/mod.rs`; without modules the root of the crate. */
function moduleFile(context: LinkContext, base: string, modules: readonly string[]): string | null {
  const stems =
    modules.length === 0 ? ['lib', 'main', 'mod'] : [modules.join('/'), `${modules.join('/')}/mod`];
  for (const stem of stems) {
    const path = base === '' ? `${stem}.rs` : `${base}/${stem}.rs`;
    if (context.has(path)) return path;
  }
  return null;
}

/** Tells the position of a file from its path, because `mod` statements would have to be followed from the root. */
function readPlace(path: string, crate: Crate | undefined, context: LinkContext): Place {
  const crateFolder = crate?.folder ?? '';
  const target = OWN_CRATE.exec(crateFolder === '' ? path : path.slice(crateFolder.length + 1));
  let base = crate ? folderOf(crate.libraryRoot) : 'src';
  if (target) {
    base = joinWithin(crateFolder, target[1]!)!;
    if (target[3] === '.rs') return { base, modules: [] };
    if (context.has(`${base}/${target[2]}/main.rs`)) base = `${base}/${target[2]}`;
  } else if (!isInside(path, base)) base = folderOf(path);
  const modules = (base === '' ? path : path.slice(base.length + 1)).replace(/\.rs$/, '').split('/');
  const isRoot = modules.length === 1 && (ROOT_STEM.test(modules[0]!) || path === crate?.libraryRoot);
  if (isRoot || modules.at(-1) === 'mod') modules.pop();
  return { base, modules };
}

/** A crate of the repository, from its `Cargo.toml`. */
interface Crate {
  readonly folder: string;
  /** As code names it, with `_`. */
  readonly name: string;
  /** The file at the root of the library's module tree. */
  readonly libraryRoot: string;
  /** Name used in code to the crate it means, where the manifest renames one. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Edition 2015: paths of `use` start at the root of the crate. */
  readonly isFirstEdition: boolean;
}

const DEPENDENCIES = /(^|\.)(dev-|build-)?dependencies$/;

/** Every crate of the repository, by the folder of its manifest. */
function readCrates(context: LinkContext): ReadonlyMap<string, Crate> {
  const crates = new Map<string, Crate>();
  for (const file of context.named('Cargo.toml')) {
    const folder = folderOf(file);
    const text = context.readText(file) ?? '';
    const strings = readTomlStrings(text);
    const stringAt = (table: string, key: string) =>
      strings.find((one) => one.table === table && one.key === key)?.value;
    const name = stringAt('lib', 'name') ?? stringAt('package', 'name');
    if (name === undefined) continue;
    const renamed = new Map<string, string>();
    for (const { table, key, value } of strings) {
      const inline = /^([\w-]+)\.package$/.exec(key)?.[1];
      if (inline && DEPENDENCIES.test(table)) renamed.set(codeName(inline), codeName(value));
      const own = /dependencies\.([\w-]+)$/.exec(table)?.[1];
      if (own && key === 'package') renamed.set(codeName(own), codeName(value));
    }
    const libraryRoot = joinWithin(folder, stringAt('lib', 'path') ?? 'src/lib.rs');
    // no edition at all means 2015; one that is not a string here comes from the workspace
    const edition = stringAt('package', 'edition');
    const isFirstEdition = edition === '2015' || !/^[ \t]*edition\b/m.test(text);
    if (libraryRoot !== null)
      crates.set(folder, { folder, name: codeName(name), libraryRoot, renamed, isFirstEdition });
  }
  return crates;
}

function codeName(name: string): string {
  return name.replaceAll('-', '_');
}

interface TomlString {
  /** The table that holds it: `package`, `dependencies.serde`. */
  readonly table: string;
  /** With dots for the keys of an inline table: `serde.path`. */
  readonly key: string;
  readonly value: string;
}

const PAIR = /([\w-]+)\s*=\s*(?:"([^"\n]*)"|'([^'\n]*)')/g;

/** Reads the string values of a manifest line by line. Linking needs nothing else of TOML. */
function readTomlStrings(text: string): TomlString[] {
  const found: TomlString[] = [];
  let table = '';
  for (const line of text.split('\n')) {
    const header = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?/.exec(line);
    if (header) {
      table = header[1]!.replaceAll('"', '');
      continue;
    }
    const inline = /^\s*([\w.-]+)\s*=\s*\{/.exec(line);
    const body = line.slice(inline ? inline[0].length : 0);
    if (!inline && !/^\s*[\w.-]+\s*=\s*["']/.test(line)) continue;
    for (const [, key, double, single] of body.matchAll(PAIR)) {
      found.push({ table, key: inline ? `${inline[1]}.${key}` : key!, value: double ?? single ?? '' });
      if (!inline) break;
    }
  }
  return found;
}
