// Search over snapshots, shared by the local and the memory store. A store gives a `SnapshotReader` for each
// branch; ranking, filters and ties are decided here, so that all stores give the same lists.

import type {
  FoundSymbol,
  KnownFile,
  LexicalSearch,
  RankedList,
  StoredPassage,
  StoredSymbol,
  StoreEdge,
  StoreFilter,
  StoreHit,
  StoreQuery,
  StoreSnapshot,
} from '../../model/knowledge-store.ts';
import { matchesWildcard } from '../../schema/text-values.ts';
import { type CallCheck, passageSearch } from './store-snapshot.ts';

/** One snapshot as the searches of a store see it; `place` counts its files. */
export interface SnapshotReader {
  /** Repository, branch, commit and model. */
  readonly head: StoreSnapshot;
  readonly files: readonly Pick<KnownFile, 'path' | 'contentHash' | 'language'>[];
  /** By place; 0 where nothing was found. */
  scoreWords(search: LexicalSearch): ArrayLike<number>;
  /** Vectors of a file; empty without any. */
  passages(place: number): readonly StoredPassage[];
  /** Definitions with exactly this name. */
  symbolsNamed(name: string): readonly { readonly place: number; readonly symbol: StoredSymbol }[];
  /** The facts of the store about the content of a file. */
  describe(place: number): Pick<KnownFile, 'lineCount' | 'symbols' | 'imports'>;
  /** Edges from a file, and edges to it. */
  edgesAround(place: number): { readonly edges: readonly StoreEdge[]; readonly usedBy: readonly StoreEdge[] };
}

/** Searches several snapshots and joins their lists into one. */
export function searchSnapshots(
  snapshots: readonly SnapshotReader[],
  query: StoreQuery,
  check: CallCheck,
): RankedList {
  const best = new BestHits(query.limit);
  const bestPassage = query.channel === 'vector' ? passageSearch(query) : null;
  for (const snapshot of snapshots) {
    const { repository, branch, model } = snapshot.head;
    if (!choosesSnapshot(query.filter, snapshot.head)) continue;
    if (query.channel === 'vector' && query.model !== model) continue;
    check();
    const scores = query.channel === 'lexical' ? snapshot.scoreWords(query) : null;
    snapshot.files.forEach((file, place) => {
      if (scores && (scores[place] === 0 || scores[place]! < best.leastScore)) return;
      if (!choosesFile(query.filter, file)) return;
      const found = scores ? { score: scores[place]! } : bestPassage?.(snapshot.passages(place));
      const { path, contentHash } = file;
      if (found) best.add({ repository, branch, path, contentHash, ...found });
    });
  }
  return best.list();
}

/** Definitions by name, from several snapshots. */
export function findSymbols(
  snapshots: readonly SnapshotReader[],
  name: string,
  filter: StoreFilter,
  check: CallCheck,
): readonly FoundSymbol[] {
  return snapshots
    .filter(({ head }) => choosesSnapshot(filter, head))
    .flatMap((snapshot) => {
      check();
      const { repository, branch } = snapshot.head;
      return snapshot
        .symbolsNamed(name)
        .filter(({ place }) => choosesFile(filter, snapshot.files[place]!))
        .sort((a, b) => a.place - b.place || a.symbol.line - b.symbol.line)
        .map(({ place, symbol }) => ({ ...symbol, repository, branch, path: snapshot.files[place]!.path }));
    });
}

/** One file with its definitions, imports and edges; null when the snapshot does not have it. */
export function describeFile(snapshot: SnapshotReader | null, path: string): KnownFile | null {
  const place = snapshot?.files.findIndex((file) => file.path === path) ?? -1;
  if (!snapshot || place < 0) return null;
  const { contentHash, language } = snapshot.files[place]!;
  const { edges, usedBy } = snapshot.edgesAround(place);
  return {
    path,
    contentHash,
    language,
    ...snapshot.describe(place),
    edges: sorted(edges),
    usedBy: sorted(usedBy),
  };
}

/** By path, then by kind. */
const sorted = (edges: readonly StoreEdge[]) =>
  [...edges].sort((a, b) => (a.to === b.to ? (a.kind < b.kind ? -1 : 1) : a.to < b.to ? -1 : 1));

/** Code unit order, which does not depend on the locale. */
const before = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Best first, ties in a fixed order. */
const byRank = (a: StoreHit, b: StoreHit): number =>
  b.score - a.score ||
  before(a.repository, b.repository) ||
  before(a.branch, b.branch) ||
  before(a.path, b.path);

/** How many more hits than the limit are kept before the worst are dropped. */
const SLACK = 256;

/** Keeps the best of many hits in bounded memory. */
class BestHits {
  readonly #limit: number;
  #held: StoreHit[] = [];
  /** A hit with a lower score cannot be among the best; ties are decided later. */
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

  /** Sorts, drops the hits beyond the limit, and raises the lowest score for later hits. */
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

/** True without patterns: a filter that is left out lets everything through. */
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
function choosesFile(
  { languages, paths }: StoreFilter,
  { path, language }: { readonly path: string; readonly language: string | null },
): boolean {
  if (languages !== undefined && (language === null || !languages.includes(language))) return false;
  return anyOf(paths, path);
}
