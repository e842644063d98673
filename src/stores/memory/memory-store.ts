// A knowledge store in memory. It is the reference: its search is written as plainly as possible, and the
// contract suite compares the other stores with it.

import type {
  KnowledgeStore,
  LexicalSearch,
  ManifestEntry,
  StoredFile,
  StoreEdge,
  StoreSnapshot,
  WordFieldName,
} from '../../model/knowledge-store.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import { wordParts } from '../../model/word-parts.ts';
import {
  describeFile,
  findSymbols,
  type SnapshotReader,
  searchSnapshots,
} from '../knowledge-store/search-snapshots.ts';
import {
  bySnapshotName,
  checkExpected,
  conflict,
  countRemoved,
  documentId,
  headOf,
  isSameSnapshot,
  loadFile,
  openCall,
  sortedFiles,
} from '../knowledge-store/store-snapshot.ts';

/** A snapshot with the data that it is made of. */
interface MemorySnapshot extends SnapshotReader {
  readonly entries: readonly ManifestEntry[];
  /** In the order of `entries`. */
  readonly ids: readonly string[];
  readonly stored: readonly StoredFile[];
}

/** The data that several handles share: by team, then by repository and branch. A snapshot is replaced whole. */
export class MemorySnapshots {
  readonly #teams = new Map<string, Map<string, MemorySnapshot>>();

  /** The snapshots of a team. Handles of one team share this map. */
  snapshotsOf(team: string): Map<string, MemorySnapshot> {
    const known = this.#teams.get(team) ?? new Map<string, MemorySnapshot>();
    this.#teams.set(team, known);
    return known;
  }
}

const NAME = 'memory';
/** A key that no pair of names can forge. */
const keyOf = (repository: string, branch: string) => JSON.stringify([repository, branch]);

/** For tests, and for one process that wants nothing on disk. */
export function openMemoryStore(cache: MemorySnapshots, team: string): KnowledgeStore {
  const snapshots = cache.snapshotsOf(team);
  const sorted = () => [...snapshots.values()].sort((a, b) => bySnapshotName(a.head, b.head));
  const at = (repository: string, branch: string) => snapshots.get(keyOf(repository, branch)) ?? null;

  return {
    name: NAME,
    team,
    async capabilities(call) {
      openCall(NAME, call);
      return { channels: ['lexical', 'vector'], writable: true, durable: false };
    },
    async snapshots(call) {
      openCall(NAME, call);
      return sorted().map(({ head }) => head);
    },
    async snapshot(repository, branch, call) {
      openCall(NAME, call);
      return at(repository, branch)?.head ?? null;
    },
    // Contents that any snapshot of the team has are taken from there. The generation is compared again at the
    // end, because `load` waits.
    async update(update, call) {
      const check = openCall(NAME, call);
      const { repository, branch, model } = update;
      const former = at(repository, branch);
      const base = checkExpected(update, former?.head ?? null);
      const entries = sortedFiles(update);
      const head = headOf(update, entries, (base ?? 0) + 1);
      const generation = former?.head.generation ?? 0;
      if (former && isSameSnapshot(former.head, head))
        return { generation, changed: false, sent: 0, kept: entries.length, removed: 0 };
      // By document id, over all branches.
      const known = new Map<string, StoredFile>();
      for (const { ids, stored } of snapshots.values())
        for (const [place, id] of ids.entries()) known.set(id, stored[place]!);
      const ids = entries.map((entry) => documentId(team, repository, model, entry));
      const missing = ids.filter((id) => !known.has(id)).length;
      const stored: StoredFile[] = [];
      let sent = 0;
      for (const [place, entry] of entries.entries()) {
        const kept = known.get(ids[place]!);
        stored.push(kept ?? (await loadFile(update, entry)));
        check();
        if (kept) continue;
        sent++;
        update.onProgress?.(sent, missing);
      }
      const found = at(repository, branch)?.head.generation ?? null;
      if (found !== base) throw conflict(repository, branch, base, found);
      snapshots.set(keyOf(repository, branch), snapshotOf(head, entries, ids, stored));
      const removed = countRemoved(former?.entries ?? [], entries);
      return { generation: head.generation, changed: true, sent, kept: entries.length - sent, removed };
    },
    async search(queries, call) {
      const check = openCall(NAME, call);
      const state = sorted();
      return queries.map((query) => searchSnapshots(state, query, check));
    },
    async symbols(name, filter, call) {
      return findSymbols(sorted(), name, filter, openCall(NAME, call));
    },
    async file(repository, branch, path, call) {
      openCall(NAME, call);
      return describeFile(at(repository, branch), path);
    },
    // Snapshots never change, so that removing one is deleting its entry.
    async remove(repository, branch, call) {
      openCall(NAME, call);
      const gone = [...snapshots].filter(
        ([, { head }]) => head.repository === repository && (branch === null || head.branch === branch),
      );
      for (const [key] of gone) snapshots.delete(key);
      return gone.length;
    },
    async close() {},
  };
}

/** The reader of a snapshot: everything is in lists already. */
function snapshotOf(
  head: StoreSnapshot,
  entries: readonly ManifestEntry[],
  ids: readonly string[],
  stored: readonly StoredFile[],
): MemorySnapshot {
  return {
    head,
    entries,
    ids,
    stored,
    files: stored,
    scoreWords: (search) => searchWords(stored, search),
    passages: (place) => stored[place]!.passages,
    symbolsNamed: (name) =>
      stored.flatMap(({ symbols }, place) =>
        symbols.filter((symbol) => symbol.name === name).map((symbol) => ({ place, symbol })),
      ),
    describe: (place) => {
      const { lineCount, symbols, imports } = stored[place]!;
      return { lineCount, symbols, imports };
    },
    edgesAround: (place) => {
      const { path, edges } = entries[place]!;
      const usedBy = entries.flatMap((entry) =>
        entry.edges.filter(({ to }) => to === path).map(({ kind }): StoreEdge => ({ to: entry.path, kind })),
      );
      return { edges, usedBy };
    },
  };
}

/** In the order of their numbers in the index. */
const FIELDS = Object.keys(WORD_FIELD) as WordFieldName[];

/** Words of a file, counted once. */
interface CountedFile {
  /** By word part: how often in each field. */
  readonly parts: ReadonlyMap<string, readonly number[]>;
  readonly lengths: readonly number[];
}

/** Counting is most of the work of a search, and contents never change. */
const counted = new WeakMap<StoredFile, CountedFile>();

/** Counts the words of a file by their parts. */
function countsOf(file: StoredFile): CountedFile {
  const known = counted.get(file);
  if (known) return known;
  const parts = new Map<string, number[]>();
  const lengths = FIELDS.map((field, at) => {
    let length = 0;
    for (const [word, count] of file.words[field]) {
      length += count;
      for (const part of wordParts(word)) {
        const counts = parts.get(part) ?? FIELDS.map(() => 0);
        counts[at]! += count;
        parts.set(part, counts);
      }
    }
    return length;
  });
  const made = { parts, lengths };
  counted.set(file, made);
  return made;
}

/** BM25 over fields, written as plainly as possible: the other stores are compared with it. */
function searchWords(files: readonly StoredFile[], query: LexicalSearch): readonly number[] {
  // Files of equal content count once in the statistics.
  const twins = new Map(files.map((file) => [contentKey(file), file]));
  const documents = [...twins].map(([key, file]) => ({ key, ...countsOf(file) }));
  const weights = FIELDS.map((field) => query.fields[field]);
  const weighted = (counts: readonly number[]) =>
    counts.reduce((sum, count, field) => sum + weights[field]! * count, 0);
  const averages = FIELDS.map((_, field) =>
    Math.max(
      1,
      documents.reduce((sum, { lengths }) => sum + lengths[field]!, 0) / Math.max(1, documents.length),
    ),
  );
  // The length of an average document, each field times its weight.
  const mean = weighted(averages) || 1;
  const scores = new Map<string, number>();
  for (const { words, weight } of query.terms) {
    const hits = documents.flatMap(({ key, parts, lengths }) => {
      const counts = FIELDS.map((_, field) =>
        words.reduce((sum, form) => sum + form.weight * (parts.get(form.word)?.[field] ?? 0), 0),
      );
      return counts.some((count) => count > 0) ? [{ key, lengths, counts }] : [];
    });
    // The usual BM25 weight of a word that `hits` of `documents` hold.
    const rarity = Math.log(1 + (documents.length - hits.length + 0.5) / (hits.length + 0.5));
    for (const { key, lengths, counts } of hits) {
      // Long documents are held back by `lengthShare`.
      const norm = 1 - query.lengthShare + (query.lengthShare * weighted(lengths)) / mean;
      const normal = weighted(counts) / norm;
      const gain = (weight * rarity * (query.saturation + 1) * normal) / (normal + query.saturation);
      if (gain > 0) scores.set(key, (scores.get(key) ?? 0) + gain);
    }
  }
  return files.map((file) => scores.get(contentKey(file)) ?? 0);
}

/** The same text in another language has other words. */
const contentKey = ({ contentHash, language }: StoredFile) => `${contentHash} ${language}`;
