import type { RankedList, StoreFilter, StoreHit } from '../../model/knowledge-store.ts';

const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Best first, ties in a fixed order. */
const byRank = (a: StoreHit, b: StoreHit): number =>
  b.score - a.score ||
  before(a.repository, b.repository) ||
  before(a.branch, b.branch) ||
  before(a.path, b.path);

/** Kept beyond the limit before those that have fallen behind are let go. */
const SLACK = 256;

/** The best of many hits, of which no more are held than asked for, and some. */
export class BestHits {
  readonly #limit: number;
  #held: StoreHit[] = [];
  /** What a hit must have to be among the best as far as is known; ties are decided later. */
  leastScore = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(hit: StoreHit): void {
    if (hit.score < this.leastScore) return;
    this.#held.push(hit);
    if (this.#held.length >= 2 * this.#limit + SLACK) this.#cut();
  }

  list(): RankedList {
    this.#cut();
    return this.#held;
  }

  #cut(): void {
    this.#held = this.#held.sort(byRank).slice(0, Math.max(0, this.#limit));
    const last = this.#held.at(-1);
    if (last && this.#held.length >= this.#limit) this.leastScore = last.score;
  }
}

/** Best first, ties in a fixed order, no more than asked for. */
export function rankedList(hits: readonly StoreHit[], limit: number): RankedList {
  const best = new BestHits(limit);
  for (const hit of hits) best.add(hit);
  return best.list();
}

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
