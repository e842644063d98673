import type { Resolution } from '../../../model/import-resolver.ts';
import { folderOf } from './repository-path.ts';

/** The import leads out of the repository. */
export const EXTERNAL: Resolution = { kind: 'external' };
/** The import should lead to a file of the repository, but none fits. */
export const UNRESOLVED: Resolution = { kind: 'unresolved' };

/** An import of a whole package with more files than this says nothing about any one of them. */
const MAX_FILES = 32;

export function resolvedTo(path: string): Resolution {
  return { kind: 'resolved', paths: [path] };
}

/** Inside the repository, but without edges when the answer would be half of it. */
export function resolvedToAll(paths: readonly string[]): Resolution {
  return { kind: 'resolved', paths: paths.length > MAX_FILES ? [] : paths };
}

export function resolvedOr(path: string | null | undefined, otherwise: Resolution): Resolution {
  return path == null ? otherwise : resolvedTo(path);
}

/** Remembers answers by the importer's folder and what it names: most imports of a folder repeat. */
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
