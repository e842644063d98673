// The knowledge store of one machine. It answers from indexes that are open (`attached`) and from snapshots
// that `update` has written to a folder of the cache.

import type { IndexView } from '../../model/index-view.ts';
import type { KnowledgeStore, StoredPassage, StoreSnapshot } from '../../model/knowledge-store.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { withLock } from '../../platform/fs/file-lock.ts';
import { DamagedFileError, IndexStore, OpenIndex, WRITER_LOCK } from '../../scan/format/index.ts';
import type { VectorCache } from '../embeddings/vector-file.ts';
import {
  choosesSnapshot,
  describeFile,
  findSymbols,
  type SnapshotReader,
  searchSnapshots,
} from '../knowledge-store/search-snapshots.ts';
import { bySnapshotName, documentId, openCall, refused } from '../knowledge-store/store-snapshot.ts';
import { localSnapshot, type WordScorer } from './local-snapshot.ts';
import {
  LOCK_WAIT_MS,
  readStoredSnapshot,
  readStoredSnapshots,
  type SnapshotRoot,
  type StoreFolder,
  storedRoots,
  updateSnapshot,
} from './update-snapshot.ts';

/** A work tree whose index is open. The index is searched in place. */
interface AttachedIndex {
  readonly head: StoreSnapshot;
  readonly index: IndexView;
  /** The cache key of the vectors of a file. */
  readonly vectorKey: (place: number) => string;
}

interface LocalStoreOptions {
  /** Snapshots of other teams in the same folder are not seen. */
  readonly team: string;
  readonly scoreWords: WordScorer;
  /** Vectors of passages, by document. */
  readonly vectors: VectorCache;
  /** The folder for snapshots that `update` writes; null when only attached indexes are searched. */
  readonly folder: StoreFolder | null;
  readonly attached: readonly AttachedIndex[];
  /** Makes the names of files that this process writes unlike those of any other writer. */
  readonly writerId: string;
}

const NAME = 'local';

/** The store of one machine: indexes on disk, in the format that a scan writes. */
export function openLocalStore(options: LocalStoreOptions): KnowledgeStore {
  const { team, folder, attached, vectors, scoreWords } = options;
  const index = folder && new IndexStore(folder);
  const own = attached.map((one): SnapshotReader => {
    const passages = (place: number) => vectors.get(one.vectorKey(place)) ?? [];
    return localSnapshot(one.head, one.index, scoreWords, passages);
  });
  const isAttached = (repository: string, branch: string) =>
    attached.some(({ head }) => head.repository === repository && head.branch === branch);
  const stored = () =>
    (index ? readStoredSnapshots(index, team) : []).filter(
      ({ head }) => !isAttached(head.repository, head.branch),
    );
  const kept =
    index && new OpenSnapshots({ index, team, scoreWords, passages: (key) => vectors.get(key) ?? [] });

  /** Runs `look` over all snapshots. A damaged file is removed and reported, so that the next update replaces it. */
  const read = <Answer>(
    look: (snapshots: readonly SnapshotReader[]) => Answer,
    isWanted?: (head: StoreSnapshot) => boolean,
  ): Answer => {
    const all = (readers: readonly SnapshotReader[]) => {
      const others = readers.filter(({ head }) => !isAttached(head.repository, head.branch));
      return look([...own, ...others].sort((a, b) => bySnapshotName(a.head, b.head)));
    };
    try {
      return kept ? kept.read(all, isWanted) : all([]);
    } catch (error) {
      kept?.closeAll();
      if (!index || !dropDamaged(index, error)) throw error;
      throw new LoadoutError(
        'store-unavailable',
        'a file of the local store was damaged and has been removed',
        {
          hint: 'update the store: it sends the missing files again',
          cause: error,
        },
      );
    }
  };
  const heads = () => read((snapshots) => snapshots.map(({ head }) => head));
  /** The snapshot of a branch, or null. */
  const at = (snapshots: readonly SnapshotReader[], repository: string, branch: string) =>
    snapshots.find(({ head }) => head.repository === repository && head.branch === branch) ?? null;

  return {
    name: NAME,
    team,
    async capabilities(call) {
      openCall(NAME, call);
      return { channels: ['lexical', 'vector'], writable: folder !== null, durable: true };
    },
    async snapshots(call) {
      openCall(NAME, call);
      return heads();
    },
    async snapshot(repository, branch, call) {
      openCall(NAME, call);
      return heads().find((head) => head.repository === repository && head.branch === branch) ?? null;
    },
    async update(update, call) {
      const check = openCall(NAME, call);
      if (!index || !folder || isAttached(update.repository, update.branch))
        throw refused(`a scan fills ${update.repository}, branch ${update.branch}`);
      return updateSnapshot({ team, folder, vectors, writerId: options.writerId }, index, update, check);
    },
    async search(queries, call) {
      const check = openCall(NAME, call);
      return read(
        (snapshots) => queries.map((query) => searchSnapshots(snapshots, query, check)),
        (head) => queries.some(({ filter }) => choosesSnapshot(filter, head)),
      );
    },
    async symbols(name, filter, call) {
      const check = openCall(NAME, call);
      return read(
        (snapshots) => findSymbols(snapshots, name, filter, check),
        (head) => choosesSnapshot(filter, head),
      );
    },
    async file(repository, branch, path, call) {
      openCall(NAME, call);
      return read(
        (snapshots) => describeFile(at(snapshots, repository, branch), path),
        (head) => head.repository === repository && head.branch === branch,
      );
    },
    async remove(repository, branch, call) {
      openCall(NAME, call);
      if (!index || !folder) return 0;
      return withLock(`${folder.path}/${WRITER_LOCK}`, LOCK_WAIT_MS, async () => {
        const gone = stored().filter(
          ({ head }) => head.repository === repository && (branch === null || head.branch === branch),
        );
        for (const { name, snapshot } of gone) {
          folder.remove(name);
          // readers may still need its parts, so their grace period begins now
          for (const part of [...snapshot.segments, snapshot.links]) folder.touch(part, wallClockMs());
        }
        index.collectGarbage(wallClockMs());
        return gone.length;
      });
    },
    async close() {
      kept?.closeAll();
    },
  };
}

/** Removes damaged segments, so that the next update writes them again. True when there were some. */
function dropDamaged(store: IndexStore, error: unknown): boolean {
  if (!(error instanceof DamagedFileError)) return false;
  const damaged = store.folder
    .list()
    .filter((name) => name.endsWith(store.segmentName('')) && !isWhole(store, name));
  for (const name of damaged) store.folder.remove(name);
  return damaged.length > 0;
}

/** Reads every section of a segment and compares its checksum. */
function isWhole(store: IndexStore, name: string): boolean {
  try {
    const segment = store.openSegment(name);
    segment?.verify();
    segment?.close();
    return segment !== null;
  } catch (error) {
    if (error instanceof DamagedFileError) return false;
    throw error;
  }
}

/** Where snapshots are read from, and how they are searched. */
interface OpenSnapshotsOptions {
  readonly index: IndexStore;
  readonly team: string;
  readonly scoreWords: WordScorer;
  readonly passages: (documentId: string) => readonly StoredPassage[];
}

/** A snapshot that is open, with the text that tells whether it was replaced since. */
interface Opened {
  readonly root: string;
  readonly fileCount: number;
  readonly view: OpenIndex;
  readonly reader: SnapshotReader;
}

/** Files of snapshots that stay open; about 300 bytes of memory each. */
const MAX_FILES = 1_000_000;

/**
 * Stored snapshots that stay open between searches. Their names and heads are checked
 * each time, which shows the changes of other processes; the rest is read once. An open snapshot stays whole, even when
 * its files are removed.
 */
export class OpenSnapshots {
  readonly #options: OpenSnapshotsOptions;
  readonly #mostFiles: number;
  /** By file, the one used last at the end. */
  readonly #opened = new Map<string, Opened>();

  constructor(options: OpenSnapshotsOptions, mostFiles = MAX_FILES) {
    this.#options = options;
    this.#mostFiles = mostFiles;
  }

  /** How many are open. */
  get size(): number {
    return this.#opened.size;
  }

  /** All that are wanted and can be read, for as long as `look` takes. */
  read<Answer>(
    look: (readers: readonly SnapshotReader[]) => Answer,
    isWanted: (head: StoreSnapshot) => boolean = () => true,
  ): Answer {
    const roots = storedRoots(this.#options.index, this.#options.team);
    const now = new Map(roots.map(({ name, root }) => [name, root]));
    for (const [name, { root }] of this.#opened) if (now.get(name) !== root) this.#close(name);
    const wanted = roots.filter(({ head }) => isWanted(head));
    try {
      return look(wanted.flatMap((root) => this.#use(root) ?? []));
    } finally {
      this.#letGo();
    }
  }

  closeAll(): void {
    for (const name of [...this.#opened.keys()]) this.#close(name);
  }

  /** Moves a snapshot to the end of the map, which is the order of use. */
  #use({ name, root }: SnapshotRoot): SnapshotReader | null {
    const opened = this.#opened.get(name) ?? this.#open(name, root);
    if (!opened) return null;
    this.#opened.delete(name);
    this.#opened.set(name, opened);
    return opened.reader;
  }

  /** Null when the snapshot cannot be read. */
  #open(name: string, root: string): Opened | null {
    const { index, team, scoreWords, passages } = this.#options;
    const stored = readStoredSnapshot(index, name, team);
    const view = stored && OpenIndex.tryOpen(index, stored.snapshot);
    if (!stored || !view) return null;
    const { head, snapshot } = stored;
    const keyOf = (place: number) => {
      const { path, hash, language } = snapshot.files[place]!;
      return documentId(team, head.repository, head.model, { path, contentHash: hash, language });
    };
    const reader = localSnapshot(head, view, scoreWords, (place) => passages(keyOf(place)));
    // another process may have replaced the file since its root was read: then it is opened anew the next time
    return { root, fileCount: snapshot.files.length, view, reader };
  }

  /** Closes the least recently used ones first. A snapshot that is too large by itself is not kept. */
  #letGo(): void {
    let files = 0;
    for (const { fileCount } of this.#opened.values()) files += fileCount;
    for (const [name, { fileCount }] of this.#opened) {
      if (files <= this.#mostFiles) return;
      files -= fileCount;
      this.#close(name);
    }
  }

  #close(name: string): void {
    this.#opened.get(name)?.view.close();
    this.#opened.delete(name);
  }
}
