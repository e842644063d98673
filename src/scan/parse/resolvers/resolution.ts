// Shared by the resolvers: their answers, and the search for the nearest of several files.
import type { LinkContext, Resolution } from '../../../model/import-resolver.ts';
import { fileNameOf, folderOf, foldersUpward, sharedDepth } from './repository-path.ts';

/** The import leads out of the repository. */
export const EXTERNAL: Resolution = { kind: 'external' };
/** The import should lead to a file of the repository, but none fits. */
export const UNRESOLVED: Resolution = { kind: 'unresolved' };

/** An import of a whole package with more files than this says nothing about any one of them. */
const MAX_FILES = 32;

/** One file is meant. */
export function resolvedTo(path: string): Resolution {
  return { kind: 'resolved', paths: [path] };
}

/** All files of a package; none when there are so many that an edge would say nothing. */
export function resolvedToAll(paths: readonly string[]): Resolution {
  return { kind: 'resolved', paths: paths.length > MAX_FILES ? [] : paths };
}

export function resolvedOr(path: string | null | undefined, otherwise: Resolution): Resolution {
  return path == null ? otherwise : resolvedTo(path);
}

/** Remembers answers by the folder of the importer and the specifier, because most imports of a folder repeat. */
export function cachePerFolder<Answer>(
  resolve: (folder: string, specifier: string) => Answer,
): (from: string, specifier: string) => Answer {
  const folders = new Map<string, Map<string, Answer>>();
  let last: string | null = null;
  let known = new Map<string, Answer>();
  return (from, specifier) => {
    // imports come file by file
    if (from !== last) {
      const folder = folderOf(from);
      known = folders.get(folder) ?? new Map();
      folders.set(folder, known);
      last = from;
    }
    let answer = known.get(specifier);
    if (answer === undefined) {
      const answers = known;
      answer = resolve(folderOf(from), specifier);
      answers.set(specifier, answer);
    }
    return answer;
  };
}

/** The candidate that shares the most leading folders with `from`; then the shortest, then the first. */
export function nearestTo(from: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  let bestDepth = -1;
  for (const candidate of candidates) {
    const depth = sharedDepth(from, candidate);
    const wins = best === null || depth > bestDepth || (depth === bestDepth && isSimpler(candidate, best));
    if (!wins) continue;
    best = candidate;
    bestDepth = depth;
  }
  return best;
}

function isSimpler(left: string, right: string): boolean {
  return left.length === right.length ? left < right : left.length < right.length;
}

/** The value of the closest folder at or above `folder`. */
export function nearestAbove<Value>(byFolder: ReadonlyMap<string, Value>, folder: string): Value | undefined {
  for (const one of foldersUpward(folder)) {
    const value = byFolder.get(one);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Files whose path is `suffix` or ends with `/suffix`. */
export function filesEndingWith(context: LinkContext, suffix: string): readonly string[] {
  const named = context.named(fileNameOf(suffix));
  if (!suffix.includes('/')) return named;
  return named.filter((path) => path === suffix || path.endsWith(`/${suffix}`));
}

/** Listed files below a folder, at any depth; `paths` is sorted, so they are together. */
export function filesBelow(context: LinkContext, folder: string): readonly string[] {
  const { paths } = context;
  if (folder === '') return paths;
  const start = lowerBound(paths, `${folder}/`);
  // `0` is the character after `/`
  return paths.slice(start, lowerBound(paths, `${folder}0`));
}

function lowerBound(sorted: readonly string[], value: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Files of one ecosystem that declare a package: in a mixed repository others may use the same name. */
export function createDeclaring(
  context: LinkContext,
  extensions: readonly string[],
): (packageName: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (packageName) => {
    let files = known.get(packageName);
    if (!files) {
      const all = context.declaring(packageName);
      files = all.filter((path) => extensions.some((extension) => path.endsWith(extension)));
      known.set(packageName, files);
    }
    return files;
  };
}
