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
import { passageSearch } from './search-vectors.ts';
import type { CallCheck } from './store-snapshot.ts';

/** One snapshot as the searches of a store see it; `place` counts its files. */
export interface SnapshotReader {
  readonly head: StoreSnapshot;
  readonly files: readonly Pick<KnownFile, 'path' | 'contentHash' | 'language'>[];
  /** By place; 0 where nothing was found. */
  scoreWords(search: LexicalSearch): ArrayLike<number>;
  passages(place: number): readonly StoredPassage[];
  symbolsNamed(name: string): readonly { readonly place: number; readonly symbol: StoredSymbol }[];
  describe(place: number): Pick<KnownFile, 'lineCount' | 'symbols' | 'imports'>;
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

const sorted = (edges: readonly StoreEdge[]) =>
  [...edges].sort((a, b) => (a.to === b.to ? (a.kind < b.kind ? -1 : 1) : a.to < b.to ? -1 : 1));

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
class BestHits {
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
