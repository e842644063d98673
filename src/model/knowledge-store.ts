// The contract of knowledge stores, and the data that they keep and return.

import type { ImportReference, WORD_FIELD } from './parsed-file.ts';
import type { LineSpan } from './ranking.ts';
import type { SymbolKind } from './symbol.ts';

/**
 * Answers text search over the files of one team's repositories. A handle belongs to one team: no query can name
 * another. It returns ranked lists by channel, and the caller fuses them: a store decides where data lives, never how
 * files rank.
 *
 * Methods reject with a `LoadoutError`: `store-unavailable`, `store-timeout`, `store-cancelled`, `store-refused` (the
 * request itself is wrong) or `store-conflict` (another writer was faster). After a rejection nothing has changed.
 */
export interface KnowledgeStore {
  /** For people: `memory`, `local`. */
  readonly name: string;
  readonly team: string;
  capabilities(call?: StoreCall): Promise<StoreCapabilities>;
  /** Sorted by repository and branch. */
  snapshots(call?: StoreCall): Promise<readonly StoreSnapshot[]>;
  snapshot(repository: string, branch: string, call?: StoreCall): Promise<StoreSnapshot | null>;
  /** Makes a branch consist of exactly these files. Readers see the old state or the new one. */
  update(update: StoreUpdate, call?: StoreCall): Promise<UpdateReceipt>;
  /** One list for each query; all of them see the same state. */
  search(queries: readonly StoreQuery[], call?: StoreCall): Promise<readonly RankedList[]>;
  /** Definitions with exactly this name, sorted by repository, branch, path and line. */
  symbols(name: string, filter: StoreFilter, call?: StoreCall): Promise<readonly FoundSymbol[]>;
  /** The facts about one file, or null. */
  file(repository: string, branch: string, path: string, call?: StoreCall): Promise<KnownFile | null>;
  /** Forgets a branch, or all of a repository; returns how many snapshots are gone. */
  remove(repository: string, branch: string | null, call?: StoreCall): Promise<number>;
  close(): Promise<void>;
}

/** A knowledge store on a server that a team shares, with what `loadout store` and `loadout scan --store` need. */
export interface TeamStore extends KnowledgeStore {
  /** The program that answers and its version, such as `opensearch 3.8.0`. */
  server(call?: StoreCall): Promise<string>;
  /** Removes documents that no snapshot uses. */
  collectGarbage(call?: StoreCall): Promise<GarbageReport>;
  /** The traffic of this handle so far. */
  traffic(): StoreTraffic;
}

/** The number of documents that the clean-up removed. */
export interface GarbageReport {
  readonly files: number;
  readonly lists: number;
}

interface StoreTraffic {
  /** Bytes of all request bodies, compressed as they were sent. */
  readonly bytesSent: number;
  /** Requests and documents that were sent again. */
  readonly retries: number;
}

/** Limits of one call. */
export interface StoreCall {
  readonly signal?: AbortSignal;
  /** Milliseconds after which the answer is of no use. */
  readonly budgetMs?: number;
}

type Channel = 'lexical' | 'vector';

/** The abilities of a store. */
export interface StoreCapabilities {
  readonly channels: readonly Channel[];
  /** False: something else fills it, and `update` is refused. */
  readonly writable: boolean;
  /** Stored data survives a restart. */
  readonly durable: boolean;
}

/** The state of one branch in a store. */
export interface StoreSnapshot {
  readonly repository: string;
  readonly branch: string;
  readonly commit: string;
  /** Goes up by one with each change of the snapshot. */
  readonly generation: number;
  /** Equal hashes mean equal answers. */
  readonly manifestHash: string;
  readonly fileCount: number;
  /** The embedding model of its vectors; empty without any. */
  readonly model: string;
}

/** A link to another file of the branch. */
export interface StoreEdge {
  readonly to: string;
  readonly kind: EdgeKind;
}

/** A file of a branch. Edges are here, because they change with other files while the content stays. */
export interface ManifestEntry {
  readonly path: string;
  readonly contentHash: string;
  readonly language: string | null;
  readonly edges: readonly StoreEdge[];
}

/** The files that a branch is to consist of. */
export interface StoreUpdate {
  readonly repository: string;
  readonly branch: string;
  readonly commit: string;
  readonly model: string;
  /** All files of the branch; no path twice. */
  readonly files: readonly ManifestEntry[];
  /** Called once for each file whose content the store does not have, from this branch or another. */
  readonly load: (entry: ManifestEntry) => StoredFile | Promise<StoredFile>;
  /** The generation to replace, null for none. Without it: the generation at the beginning of the update. */
  readonly expected?: number | null;
  readonly onProgress?: (sent: number, total: number) => void;
}

/** The changes that an update made. */
export interface UpdateReceipt {
  readonly generation: number;
  /** False: the store had exactly this already. */
  readonly changed: boolean;
  readonly sent: number;
  readonly kept: number;
  /** Files of the former snapshot that are gone or have other content now. */
  readonly removed: number;
}

export type WordCount = readonly [word: string, count: number];

/** Everything that can be found in one content at one path. No source text: words, names and numbers. */
export interface StoredFile {
  readonly path: string;
  readonly contentHash: string;
  readonly language: string | null;
  readonly lineCount: number;
  /** Words as written, by field. */
  readonly words: Readonly<Record<WordFieldName, readonly WordCount[]>>;
  /** How many words there are in each field; the sum of their counts if absent. */
  readonly lengths?: Readonly<Record<WordFieldName, number>>;
  readonly symbols: readonly StoredSymbol[];
  readonly imports: readonly ImportReference[];
  readonly passages: readonly StoredPassage[];
}

/** A definition as stores keep it; lines are 1-based and inclusive. */
export interface StoredSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly signature: string;
  readonly doc: string;
  readonly line: number;
  readonly endLine: number;
  /** Index of the enclosing definition in the same file's list, or -1. */
  readonly container: number;
}

/** Of length 1, a byte for each number: a quarter of the space for an error that no ranking shows. */
export interface PackedVector {
  readonly codes: Int8Array;
  readonly scale: number;
}

/** A stretch of lines with its vector. */
export interface StoredPassage extends LineSpan {
  readonly vector: PackedVector;
}

/** All conditions hold at once; a list means any of it. In patterns `*` is any run of characters, `/` included. */
export interface StoreFilter {
  readonly repositories?: readonly string[];
  readonly branches?: readonly string[];
  readonly languages?: readonly string[];
  readonly paths?: readonly string[];
}

/** The statistics do not depend on the filter. */
export interface LexicalQuery extends LexicalSearch {
  readonly channel: 'lexical';
  readonly filter: StoreFilter;
  readonly limit: number;
}

/** Cosine of the best passage of each file. Snapshots of another model have nothing to say. */
export interface VectorQuery {
  readonly channel: 'vector';
  readonly model: string;
  readonly vector: Float32Array;
  readonly filter: StoreFilter;
  readonly limit: number;
}

export type StoreQuery = LexicalQuery | VectorQuery;

/** One file in a ranked list. */
export interface StoreHit {
  readonly repository: string;
  readonly branch: string;
  readonly path: string;
  readonly contentHash: string;
  /** Above 0. */
  readonly score: number;
  /** Of the best passage, in the vector channel. */
  readonly span?: LineSpan;
}

/** Best first; ties by repository, branch and path. */
export type RankedList = readonly StoreHit[];

/** A definition and where it is. */
export interface FoundSymbol extends StoredSymbol {
  readonly repository: string;
  readonly branch: string;
  readonly path: string;
}

/** A file as a store describes it. */
export interface KnownFile {
  readonly path: string;
  readonly contentHash: string;
  readonly language: string | null;
  readonly lineCount: number;
  readonly symbols: readonly StoredSymbol[];
  readonly imports: readonly ImportReference[];
  /** Files that it depends on, sorted by path and kind. */
  readonly edges: readonly StoreEdge[];
  /** Files that depend on it: `to` is the other file. */
  readonly usedBy: readonly StoreEdge[];
}

export type EdgeKind = 'import' | 'reference' | 'test';

export type WordFieldName = keyof typeof WORD_FIELD;

/** A word in all its forms; counts of the forms add up, each times its weight. */
export interface LexicalTerm {
  /** Lower-case, as `wordParts` gives them; sorted. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
  readonly weight: number;
}

/**
 * BM25 over fields. The statistics are those of the whole snapshot; files with equal content count once there, and
 * each of them is found.
 */
export interface LexicalSearch {
  readonly terms: readonly LexicalTerm[];
  /** The weight of a word, by field. */
  readonly fields: Readonly<Record<WordFieldName, number>>;
  /** 0: long files are not held back; 1: fully. */
  readonly lengthShare: number;
  readonly saturation: number;
}
