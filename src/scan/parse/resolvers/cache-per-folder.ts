import { folderOf } from './repository-path.ts';

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
