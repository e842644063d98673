// Links all files: imports, the files behind imported names, and tests with the sources that they cover.
// `relink-files.ts` does the same for a few changed files.
import type { ImportResolver, LinkContext } from '../../model/import-resolver.ts';
import type { LanguageLinks } from '../../model/snapshot.ts';
import { createFindDefiners, type FindDefiners, targetsFor } from './find-definers.ts';
import {
  buildImportGraph,
  type LinkInput,
  type ResolvedImport,
  type StatementMeaning,
} from './import-graph.ts';

/** Each map leads from a path to sorted paths without repetition. Files without an entry have no edges of that kind. */
export interface Linked {
  /** The files that a file imports, as written: a barrel stays a barrel. */
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

/** Turns imports and names into edges between files. */
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

/** The files that the statements of a file name, sorted. */
export function directTargets(resolved: readonly ResolvedImport[]): readonly string[] {
  return sortedUnique(resolved.flatMap((one) => one.targets));
}

/** The files that define what a file imports. A statement without names means its targets as a whole. */
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

/** Sorted, so that the same files always give the same bytes. */
export function sortedUnique(paths: readonly string[]): readonly string[] {
  return paths.length < 2 ? paths : [...new Set(paths)].sort();
}

function isEqual(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((path, index) => path === right[index]);
}

const NONE: readonly string[] = [];

/**
 * The view of resolvers: paths, folders, manifests, and `declaredPackages`, which maps a package or namespace to the
 * files that declare it.
 */
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

/** A test, as the search for its sources needs it. */
interface TestFile {
  readonly path: string;
  /** File names of sources that this test may be about, best first. */
  readonly testedNames: readonly string[];
  /** The files that define what it imports. */
  readonly imports: readonly string[];
}

/** Folders that separate a test from its source without saying what it tests. */
const NEUTRAL =
  /^(__tests__|tests?|specs?|testing|unit|integration|e2e|functional|src|lib|main|app|source|sources)$/i;
/** `forms_tests` holds tests of `forms`. */
const TEST_AFFIX = /^tests?[_-]|[_-]tests?$/;
/** Folders between a test and a source that still count as near. */
const NEAR = 2;
/** More files with the same name at the same distance say nothing. */
const MAX_EQUALS = 3;
/** A test that imports more files covers none of them in particular. */
const MAX_COVERED = 24;
/** A name that more files have (`index.ts`) is only looked for next to the test. */
const MAX_CALLED = 64;

/**
 * The sources that a test covers. First choice: imports that are called like it; then a near file that is called like
 * it; then imports that are called nearly like it; then all its imports; then a distant file that is called like it.
 */
export function findTestedSources(
  test: TestFile,
  context: LinkContext,
  isSource: (path: string) => boolean,
): readonly string[] {
  const imported = test.imports.filter((path) => isSource(path));
  const names = new Set(test.testedNames);
  const matching = imported.filter((path) => names.has(nameOf(path)));
  if (matching.length > 0) return matching;
  const called = nearestCalled(test, context, isSource);
  if (called.distance <= NEAR) return called.paths;
  const alike = imported.filter((path) => test.testedNames.some((name) => isPartOf(nameOf(path), name)));
  if (alike.length > 0) return alike;
  return imported.length === 0 || imported.length > MAX_COVERED ? called.paths : imported;
}

/** `user.service.ts` for `user.ts`, or the other way round. */
function isPartOf(left: string, right: string): boolean {
  const [one, other] = [left, right].map((name) => name.replace(/\.[^.]*$/, '.'));
  return one!.startsWith(other!) || other!.startsWith(one!);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Files that are called like a test wants, and how far away they are. */
interface Called {
  readonly distance: number;
  readonly paths: readonly string[];
}

function nearestCalled(test: TestFile, context: LinkContext, isSource: (path: string) => boolean): Called {
  const own = meaningfulFolders(test.path);
  let distance = Number.POSITIVE_INFINITY;
  let paths: string[] = [];
  for (const name of test.testedNames)
    for (const path of candidates(name, test.path, context)) {
      if (path === test.path || !isSource(path)) continue;
      const apart = distanceBetween(own, meaningfulFolders(path));
      if (apart > distance) continue;
      if (apart < distance) paths = [];
      distance = apart;
      paths.push(path);
    }
  // Many files with one name at the same distance: a name like `index` or `utils` says nothing.
  return paths.length > MAX_EQUALS ? { distance: Number.POSITIVE_INFINITY, paths: [] } : { distance, paths };
}

function candidates(name: string, testPath: string, context: LinkContext): readonly string[] {
  const all = context.named(name);
  if (all.length <= MAX_CALLED) return all;
  const folder = testPath.slice(0, testPath.lastIndexOf('/') + 1);
  return [folder + name, folder.replace(/[^/]+\/$/, '') + name].filter((path) => context.has(path));
}

/** The folders of a path without neutral ones, so that `src/a/x.ts` and `tests/a/x.test.ts` are in the same place. */
function meaningfulFolders(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  return folders
    .filter((folder) => !NEUTRAL.test(folder))
    .map((folder) => folder.toLowerCase().replace(TEST_AFFIX, ''));
}

/** The number of folders that only one side has, after equal ones at both ends are removed. */
function distanceBetween(left: readonly string[], right: readonly string[]): number {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return left.length + right.length - 2 * (start + end);
}
