import type { StoreFilter } from '../../model/knowledge-store.ts';

/** True when the text is what the pattern says; `*` is any run of characters. Never slower than both lengths multiplied. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[place] === '*') {
      star = place++;
      resume = at;
    } else if (place < pattern.length && pattern[place] === text[at]) {
      place++;
      at++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}

const anyOf = (patterns: readonly string[] | undefined, text: string) =>
  patterns === undefined || patterns.some((pattern) => matchesWildcard(pattern, text));

/** The part of a filter that chooses snapshots. */
export function choosesSnapshot(
  { repositories, branches }: StoreFilter,
  { repository, branch }: { readonly repository: string; readonly branch: string },
): boolean {
  return anyOf(repositories, repository) && anyOf(branches, branch);
}

/** The part of a filter that chooses files of a snapshot. */
export function choosesFile(
  { languages, paths }: StoreFilter,
  { path, language }: { readonly path: string; readonly language: string | null },
): boolean {
  if (languages !== undefined && (language === null || !languages.includes(language))) return false;
  return anyOf(paths, path);
}
