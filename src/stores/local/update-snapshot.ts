// Writes a snapshot into the local store, in the format of the index: segments for new contents, a file of
// links, and one file that names them. Replacing that last file is the commit.

import type {
  EdgeKind,
  ManifestEntry,
  StoredFile,
  StoredSymbol,
  StoreSnapshot,
  StoreUpdate,
  UpdateReceipt,
  WordFieldName,
} from '../../model/knowledge-store.ts';
import { type FileWords, type ParsedFile, type Vocabulary, WORD_FIELD } from '../../model/parsed-file.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import type { EdgeList, FileLinks, Snapshot, SnapshotFile } from '../../model/snapshot.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { withLock } from '../../platform/fs/file-lock.ts';
import {
  type IndexFolder,
  type IndexStore,
  OpenIndex,
  SegmentBuilder,
  WRITER_LOCK,
} from '../../scan/format/index.ts';
import type { VectorCache } from '../embeddings/vector-file.ts';
import {
  type CallCheck,
  checkExpected,
  conflict,
  countRemoved,
  documentId,
  headOf,
  isSameSnapshot,
  loadFile,
  sortedFiles,
} from '../knowledge-store/store-snapshot.ts';

/** A snapshot that `update` has written, and the file that holds it. */
export interface StoredSnapshot {
  readonly name: string;
  readonly head: StoreSnapshot;
  readonly snapshot: Snapshot;
}

/** In the field where a scan names a work tree, a store keeps all facts about the snapshot: one file is the whole commit. */
function rootText(team: string, head: StoreSnapshot): string {
  return JSON.stringify({ team, ...head });
}

/** Null for a snapshot of a scan, which has a path there. */
function readRoot(root: string): { readonly team: string; readonly head: StoreSnapshot } | null {
  const said = jsonOrNull(root) as (StoreSnapshot & { team: string }) | null;
  if (said === null) return null;
  const { team, ...head } = said;
  return { team, head };
}

/** A snapshot of which only the beginning was read. */
export interface SnapshotRoot {
  readonly name: string;
  /** All facts of the file about its snapshot: another text is another snapshot. */
  readonly root: string;
  readonly head: StoreSnapshot;
}

/** The snapshots of a team, by the first bytes of their files. */
export function storedRoots(store: IndexStore, team: string): readonly SnapshotRoot[] {
  return store.snapshotRoots().flatMap(([name, root]) => {
    const known = readRoot(root);
    return known?.team === team ? [{ name, root, head: known.head }] : [];
  });
}

/** Null when it is gone, damaged, or belongs to another team by now. */
export function readStoredSnapshot(store: IndexStore, name: string, team: string): StoredSnapshot | null {
  const snapshot = store.load(name);
  if (typeof snapshot === 'string') return null;
  const known = readRoot(snapshot.root);
  return known?.team === team ? { name, head: known.head, snapshot } : null;
}

/** All readable snapshots of a team. The next update writes the others again. */
export function readStoredSnapshots(store: IndexStore, team: string): readonly StoredSnapshot[] {
  return storedRoots(store, team).flatMap(({ name }) => readStoredSnapshot(store, name, team) ?? []);
}

/** The folder of the store, as far as an update writes it. */
export interface StoreFolder extends IndexFolder {
  writeChunks(name: string, chunks: readonly Buffer[]): void;
}

/** Where a content is in the index. */
interface Place {
  readonly segment: string;
  readonly document: number;
  readonly symbolCount: number;
}

/** Long enough for another process to write one small file. */
export const LOCK_WAIT_MS = 10_000;
/** Files of a segment, which are held in memory until it is written. */
const SEGMENT_FILES = 2000;

/** Where an update writes. */
interface Target {
  readonly team: string;
  readonly folder: StoreFolder;
  readonly vectors: VectorCache;
  readonly writerId: string;
}

/** Part of file names, so that two segments of one millisecond differ. */
let segmentsWritten = 0;

/** Writes new contents as segments, then replaces the file that names the segments of the branch. */
export async function updateSnapshot(
  { team, folder, vectors, writerId }: Target,
  store: IndexStore,
  update: StoreUpdate,
  check: CallCheck,
): Promise<UpdateReceipt> {
  const { repository, branch, model } = update;
  const own = () =>
    readStoredSnapshots(store, team).filter(({ snapshot }) => OpenIndex.tryOpen(store, snapshot) !== null);
  const current = (snapshots: readonly StoredSnapshot[]) =>
    snapshots.find(({ head }) => head.repository === repository && head.branch === branch) ?? null;
  const before = own();
  const former = current(before);
  const base = checkExpected(update, former?.head ?? null);
  const entries = sortedFiles(update);
  const head = headOf(update, entries, (base ?? 0) + 1);
  const generation = former?.head.generation ?? 0;
  if (former && isSameSnapshot(former.head, head))
    return { generation, changed: false, sent: 0, kept: entries.length, removed: 0 };

  const idOf = (entry: ManifestEntry) => documentId(team, repository, model, entry);
  const places = knownPlaces(team, before);
  const missing = entries.filter((entry) => !places.has(idOf(entry)));
  const unique = () => `${wallClockMs().toString(36)}-${writerId}-${segmentsWritten++}`;
  for (let from = 0; from < missing.length; from += SEGMENT_FILES) {
    const builder = new StoredSegment();
    const segment = store.segmentName(unique());
    for (const [at, entry] of missing.slice(from, from + SEGMENT_FILES).entries()) {
      const file = await loadFile(update, entry);
      check();
      places.set(idOf(entry), { segment, document: builder.add(file), symbolCount: file.symbols.length });
      if (file.passages.length > 0) vectors.put([[idOf(entry), file.passages]]);
      update.onProgress?.(from + at + 1, missing.length);
    }
    folder.writeChunks(segment, builder.finish());
  }
  const segments = [...new Set(entries.map((entry) => places.get(idOf(entry))!.segment))].sort();
  const numbers = new Map(segments.map((name, number) => [name, number]));
  const files = entries.map((entry) => {
    const { segment, document, symbolCount } = places.get(idOf(entry))!;
    return snapshotFile(entry, numbers.get(segment)!, document, symbolCount);
  });
  const links = store.linksName(unique());
  folder.writeChunks(links, store.encodeLinks(linksOf(entries)));
  check();
  await withLock(`${folder.path}/${WRITER_LOCK}`, LOCK_WAIT_MS, async () => {
    const now = current(own());
    const found = now?.head.generation ?? null;
    if (found !== base) throw conflict(repository, branch, base, found);
    const root = rootText(team, head);
    const state = { id: head.manifestHash, root, gitSha: head.commit };
    const snapshot = { ...state, segments, files, links, basis: null };
    const name = store.snapshotName(JSON.stringify([team, repository]), branch);
    store.commit(name, snapshot, now?.snapshot, wallClockMs());
    store.collectGarbage(wallClockMs());
  });
  const earlier = former?.snapshot.files.map(({ path, hash }) => ({ path, contentHash: hash })) ?? [];
  const sent = missing.length;
  const removed = countRemoved(earlier, entries);
  return { generation: head.generation, changed: true, sent, kept: entries.length - sent, removed };
}

/** Contents that are stored already, by document id: they are not sent again. */
function knownPlaces(team: string, snapshots: readonly StoredSnapshot[]): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const { head, snapshot } of snapshots)
    for (const { path, hash, language, segment, document, symbolCount } of snapshot.files) {
      const id = documentId(team, head.repository, head.model, { path, contentHash: hash, language });
      places.set(id, { segment: snapshot.segments[segment]!, document, symbolCount });
    }
  return places;
}

/** A file of a store has no stat hints and no classes: nothing compares it with a work tree. */
function snapshotFile(
  { path, contentHash, language }: ManifestEntry,
  segment: number,
  document: number,
  symbolCount: number,
): SnapshotFile {
  const unknown = { skip: null, size: 0, hint: null, gitBlob: null, interfaceHash: 0, saysGenerated: false };
  const classification = { role: 'source', generated: false, vendored: false, reasons: [] } as const;
  return { path, language, hash: contentHash, segment, document, symbolCount, classification, ...unknown };
}

/** The edges of an update as the three lists of an index. */
function linksOf(entries: readonly ManifestEntry[]): FileLinks {
  const numbers = new Map(entries.map(({ path }, number) => [path, number]));
  const listOf = (wanted: EdgeKind): EdgeList => {
    const starts = new Uint32Array(entries.length + 1);
    const targets: number[] = [];
    entries.forEach(({ edges }, file) => {
      for (const { to, kind } of edges) if (kind === wanted) targets.push(numbers.get(to)!);
      starts[file + 1] = targets.length;
    });
    return { starts, targets: Uint32Array.from(targets) };
  };
  return {
    imports: listOf('import'),
    definers: listOf('reference'),
    tests: listOf('test'),
    languages: [],
    basis: { files: '', manifests: [] },
  };
}

/** Numbers words in the order in which they come. */
class GrowingVocabulary implements Vocabulary {
  readonly words: string[] = [];
  readonly #ids = new Map<string, number>();

  idOf(word: string): number | undefined {
    return this.#ids.get(word);
  }

  add(word: string): number {
    const known = this.#ids.get(word);
    if (known !== undefined) return known;
    this.#ids.set(word, this.words.length);
    return this.words.push(word) - 1;
  }
}

/** Lays stored files out as a segment of the index. */
class StoredSegment {
  readonly #vocabulary = new GrowingVocabulary();
  readonly #builder = new SegmentBuilder(this.#vocabulary);

  /** Documents so far. */
  get size(): number {
    return this.#builder.size;
  }

  /** Number of the document in the segment. */
  add(file: StoredFile): number {
    for (const { name } of file.symbols) this.#vocabulary.add(name);
    return this.#builder.add({
      key: `${file.contentHash} ${file.language}`,
      byteLength: 0,
      generated: false,
      parsed: parsedOf(file),
      words: this.#wordsOf(file),
    });
  }

  /** The bytes of the segment. Nothing can be added after this. */
  finish(): Buffer[] {
    return this.#builder.finish();
  }

  /** A store knows how often a word occurs, not where: all occurrences are on line 1. */
  #wordsOf({ words }: StoredFile): FileWords {
    const places = new Map<number, number>();
    const occurrences: number[] = [];
    const fields: number[] = [];
    for (const [name, field] of Object.entries(WORD_FIELD))
      for (const [word, count] of words[name as WordFieldName]) {
        const id = this.#vocabulary.add(word);
        const place = places.get(id) ?? places.size;
        places.set(id, place);
        for (let times = Math.max(1, Math.round(count)); times > 0; times--) {
          occurrences.push(place);
          fields.push(field);
        }
      }
    return {
      distinct: Uint32Array.from(places.keys()),
      occurrences: Uint32Array.from(occurrences),
      lines: new Uint32Array(occurrences.length).fill(1),
      fields: Uint8Array.from(fields),
    };
  }
}

/** A stored file as the parser would have left it. */
function parsedOf({ language, lineCount, symbols, imports }: StoredFile): ParsedFile {
  return {
    language,
    lineCount,
    symbols: symbols.map(definitionOf),
    imports,
    problem: null,
    hasSyntaxErrors: false,
  };
}

/** Offsets into the text mean nothing without the text. */
function definitionOf({ name, kind, signature, doc, line, endLine, container }: StoredSymbol) {
  const offsets = { start: 0, nameStart: 0, headerEnd: 0, bodyEnd: 0, end: 0 };
  return { name, kind, signature, doc, container, ...offsets, startLine: line, endLine };
}
