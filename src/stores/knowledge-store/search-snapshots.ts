import type {
  FoundSymbol,
  KnownFile,
  LexicalSearch,
  RankedList,
  StoredPassage,
  StoredSymbol,
  StoreEdge,
  StoreFilter,
  StoreQuery,
  StoreSnapshot,
} from '../../model/knowledge-store.ts';
import { BestHits, choosesFile, choosesSnapshot } from './ranked-list.ts';
import { passageSearch } from './search-vectors.ts';
import type { CallCheck } from './snapshot-head.ts';

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
