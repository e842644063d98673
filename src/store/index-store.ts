import { createHash } from 'node:crypto';
import type { Snapshot } from '../model/snapshot.ts';
import type { RangeReader } from './section-file.ts';
import { SEGMENT_FORMAT } from './segment-format.ts';
import { SegmentReader } from './segment-reader.ts';
import { decodeSnapshot, encodeSnapshot, SNAPSHOT_FORMAT } from './snapshot-codec.ts';

/** What the store needs of the cache directory; `platform`'s `CacheFolder` fits. */
export interface IndexFolder {
  readonly path: string;
  open(name: string): RangeReader | null;
  readAll(name: string): Buffer | null;
  write(name: string, data: Buffer | string): void;
  list(): readonly string[];
  changedAt(name: string): number | null;
  remove(name: string): void;
}

/** Unreferenced files younger than this may belong to a scan that is still running. */
const GRACE_MS = 10 * 60_000;

export const INDEX_FORMAT = `v${SNAPSHOT_FORMAT}.${SEGMENT_FORMAT}`;

const SEGMENT_SUFFIX = '.segment';
const SNAPSHOT_SUFFIX = '.snapshot';

/**
 * The index of one repository, shared by all its work trees. Segments are immutable and found by content, a
 * snapshot says which of them make up one work tree, and replacing that one file is the commit: a reader sees
 * the old state or the new one, whatever happens to the writer.
 */
export class IndexStore {
  readonly folder: IndexFolder;

  constructor(folder: IndexFolder) {
    this.folder = folder;
  }

  snapshotName(root: string, view: string): string {
    return `${createHash('sha256').update(`${root}\0${view}`).digest('hex').slice(0, 24)}${SNAPSHOT_SUFFIX}`;
  }

  segmentName(unique: string): string {
    return `${unique}${SEGMENT_SUFFIX}`;
  }

  load(name: string): Snapshot | 'none' | 'damaged' {
    const bytes = this.folder.readAll(name);
    if (!bytes) return 'none';
    return decodeSnapshot(bytes) ?? 'damaged';
  }

  /** Every readable snapshot of this repository: other work trees have often read the same content already. */
  loadAll(): Snapshot[] {
    return this.folder
      .list()
      .filter((name) => name.endsWith(SNAPSHOT_SUFFIX))
      .map((name) => this.load(name))
      .filter((loaded): loaded is Snapshot => typeof loaded === 'object');
  }

  commit(name: string, snapshot: Snapshot): void {
    this.folder.write(name, encodeSnapshot(snapshot));
  }

  /** Throws `DamagedFileError` when the segment is gone or not what was written. */
  openSegment(name: string): SegmentReader | null {
    const range = this.folder.open(name);
    return range && new SegmentReader(range);
  }

  /** Removes what no snapshot uses any more. */
  collectGarbage(nowMs: number): number {
    const names = this.folder.list();
    const used = new Set(this.loadAll().flatMap(({ segments }) => segments));
    let removed = 0;
    for (const name of names) {
      const disposable = name.endsWith(SEGMENT_SUFFIX) ? !used.has(name) : name.endsWith('.tmp');
      if (!disposable) continue;
      const changed = this.folder.changedAt(name);
      if (changed === null || nowMs - changed < GRACE_MS) continue;
      this.folder.remove(name);
      removed++;
    }
    return removed;
  }
}
