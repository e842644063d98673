import type { ImportResolver, LinkContext } from '../../model/import-resolver.ts';
import type { LanguageLinks } from '../../model/snapshot.ts';
import { createFindDefiners, type FindDefiners } from './find-definers.ts';
import { findTestedSources } from './find-tested-sources.ts';
import {
  buildImportGraph,
  type LinkInput,
  type ResolvedImport,
  type StatementMeaning,
} from './import-graph.ts';
import { targetsFor } from './passed-on.ts';

/** Paths lead to sorted paths without repetition; files with nothing to say are left out. */
export interface Linked {
  /** What a file imports, as written: a barrel stays a barrel. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Where the names that a file imports are defined, barrels followed. */
  readonly definers: ReadonlyMap<string, readonly string[]>;
  /** Test to the sources it covers. */
  readonly tests: ReadonlyMap<string, readonly string[]>;
  readonly links: readonly LanguageLinks[];
  readonly meanings: ReadonlyMap<string, readonly StatementMeaning[]>;
}

interface LinkOptions {
  /** Names defined at the top level of a file. */
  readonly exportsOf: (path: string) => ReadonlySet<string>;
  /** File names of the sources that a test file may be about, best first. */
  readonly testedNames: (path: string) => readonly string[];
}

/** Turns what files say about each other into edges between files. */
export function linkFiles(
  files: readonly LinkInput[],
  context: LinkContext,
  resolverOf: (language: string) => ImportResolver | null,
  options: LinkOptions,
): Linked {
  const { byFile, meanings, links } = buildImportGraph(files, context, resolverOf, options.exportsOf);
  const findDefiners = createFindDefiners(byFile, options.exportsOf);
  const imports = new Map<string, readonly string[]>();
  const definers = new Map<string, readonly string[]>();
  for (const [path, resolved] of byFile) {
    const direct = directTargets(resolved);
    const defining = definersOf(path, resolved, findDefiners);
    imports.set(path, direct);
    if (defining.length > 0) definers.set(path, isEqual(direct, defining) ? direct : defining);
  }

  const sources = new Set(
    files.filter((file) => !file.isTest && file.language !== null).map((file) => file.path),
  );
  const isSource = (path: string) => sources.has(path);
  const tests = new Map<string, readonly string[]>();
  for (const { path, isTest } of files) {
    if (!isTest) continue;
    const test = { path, testedNames: options.testedNames(path), imports: definers.get(path) ?? [] };
    const covered = sortedUnique(findTestedSources(test, context, isSource));
    if (covered.length > 0) tests.set(path, covered);
  }
  return { imports, definers, tests, links, meanings };
}

export function directTargets(resolved: readonly ResolvedImport[]): readonly string[] {
  return sortedUnique(resolved.flatMap((one) => one.targets));
}

export function definersOf(
  path: string,
  imports: readonly ResolvedImport[],
  find: FindDefiners,
): readonly string[] {
  const found: string[] = [];
  for (const one of imports) {
    const { names } = one.reference;
    if (names.length === 0 || names.includes('*')) found.push(...one.targets);
    for (const name of names)
      if (name !== '*') for (const target of targetsFor(one, name)) found.push(...find(target, name));
  }
  return sortedUnique(found.filter((target) => target !== path));
}

export function sortedUnique(paths: readonly string[]): readonly string[] {
  return paths.length < 2 ? paths : [...new Set(paths)].sort();
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((path, index) => path === right[index]);
}

const NONE: readonly string[] = [];

/** `declaredPackages` maps a package or namespace to the files that say they belong to it. */
export function createLinkContext(
  paths: readonly string[],
  declaredPackages: ReadonlyMap<string, readonly string[]>,
  readText: (path: string) => string | null,
): LinkContext {
  const sorted = [...new Set(paths)].sort();
  const listed = new Set(sorted);
  const byFolder = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  const folders = new Set<string>();
  for (const path of sorted) {
    const slash = path.lastIndexOf('/');
    const folder = slash < 0 ? '' : path.slice(0, slash);
    append(byFolder, folder, path);
    append(byName, path.slice(slash + 1), path);
    for (let above = folder; !folders.has(above); above = above.slice(0, Math.max(0, above.lastIndexOf('/'))))
      folders.add(above);
  }
  const declaring = new Map<string, readonly string[]>();
  for (const [name, files] of declaredPackages) declaring.set(name, [...new Set(files)].sort());
  return {
    paths: sorted,
    has: (path) => listed.has(path),
    hasFolder: (folder) => folders.has(folder),
    named: (fileName) => byName.get(fileName) ?? NONE,
    within: (folder) => byFolder.get(folder) ?? NONE,
    declaring: (packageName) => declaring.get(packageName) ?? NONE,
    readText,
  };
}

function append(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
