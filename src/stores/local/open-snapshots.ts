import type { StoredPassage, StoreSnapshot } from '../../model/knowledge-store.ts';
import type { IndexStore } from '../../scan/format/index-store.ts';
import { OpenIndex } from '../../scan/format/open-index.ts';
import { documentId } from '../knowledge-store/document-id.ts';
import type { SnapshotReader } from '../knowledge-store/search-snapshots.ts';
import { localSnapshot, type WordScorer } from './local-snapshot.ts';
import { readStoredSnapshot, type SnapshotRoot, storedRoots } from './stored-snapshots.ts';

export interface OpenSnapshotsOptions {
  readonly index: IndexStore;
  readonly team: string;
  readonly scoreWords: WordScorer;
  readonly passages: (documentId: string) => readonly StoredPassage[];
}

interface Opened {
  readonly root: string;
  readonly fileCount: number;
  readonly view: OpenIndex;
  readonly reader: SnapshotReader;
}

/** Files of snapshots that stay open; about 300 bytes of memory each. */
const MOST_FILES = 1_000_000;

/**
 * Stored snapshots that stay open between searches. Each time their names and heads are looked at, so that what another
 * process has written or removed is seen; the rest was read once. What was opened stays whole, whoever removes the files.
 */
export class OpenSnapshots {
  readonly #options: OpenSnapshotsOptions;
  readonly #mostFiles: number;
  /** By file, the one used last at the end. */
  readonly #opened = new Map<string, Opened>();

  constructor(options: OpenSnapshotsOptions, mostFiles = MOST_FILES) {
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

  #use({ name, root }: SnapshotRoot): SnapshotReader | null {
    const opened = this.#opened.get(name) ?? this.#open(name, root);
    if (!opened) return null;
    this.#opened.delete(name);
    this.#opened.set(name, opened);
    return opened.reader;
  }

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

  /** Those that were not used for longest go first; of one that is too large alone nothing stays. */
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
