import type { LinkContext } from '../../model/import-resolver.ts';

export interface TestFile {
  readonly path: string;
  /** File names of sources that this test may be about, best first. */
  readonly testedNames: readonly string[];
  /** Files it imports, followed to where the imported names are defined. */
  readonly imports: readonly string[];
}

/** Folders that part a test from its source without saying what it tests. */
const NEUTRAL =
  /^(__tests__|tests?|specs?|testing|unit|integration|e2e|functional|src|lib|main|app|source|sources)$/i;
/** `forms_tests` holds tests of `forms`. */
const TEST_AFFIX = /^tests?[_-]|[_-]tests?$/;
const NEAR = 2;
const MAX_EQUALS = 3;
/** A test that imports more than this covers none of it in particular. */
const MAX_COVERED = 24;
/** A name that so many files have (`index.ts`) is looked for next to the test only. */
const MAX_CALLED = 64;

/**
 * The sources a test covers: imports that are called like it, else a file nearby that is called like it, else
 * imports that are called nearly like it, else whatever it imports, else a file far away that is called like it.
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
  // many files of one name, all equally far: a name like `index` or `utils` that says nothing
  return paths.length > MAX_EQUALS ? { distance: Number.POSITIVE_INFINITY, paths: [] } : { distance, paths };
}

function candidates(name: string, testPath: string, context: LinkContext): readonly string[] {
  const all = context.named(name);
  if (all.length <= MAX_CALLED) return all;
  const folder = testPath.slice(0, testPath.lastIndexOf('/') + 1);
  return [folder + name, folder.replace(/[^/]+\/$/, '') + name].filter((path) => context.has(path));
}

function meaningfulFolders(path: string): string[] {
  const folders = path.split('/').slice(0, -1);
  return folders
    .filter((folder) => !NEUTRAL.test(folder))
    .map((folder) => folder.toLowerCase().replace(TEST_AFFIX, ''));
}

/** Folders that are on one side only, when equal ones at the start and at the end are taken away. */
function distanceBetween(left: readonly string[], right: readonly string[]): number {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start++;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end++;
  return left.length + right.length - 2 * (start + end);
}
