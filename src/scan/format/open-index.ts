import type { IndexView } from '../../model/index-view.ts';
import type { FileLinks, Snapshot, SnapshotFile } from '../../model/snapshot.ts';
import type { IndexStore } from './index-store.ts';
import { DamagedFileError } from './section-file.ts';
import type { SegmentReader } from './segment-reader.ts';

const NO_EDGES = { starts: new Uint32Array(1), targets: new Uint32Array(0) };
const NO_LINKS: FileLinks = {
  imports: NO_EDGES,
  definers: NO_EDGES,
  tests: NO_EDGES,
  languages: [],
  basis: { files: '', manifests: [] },
};

/** A snapshot with everything behind it, opened piece by piece as it is asked for. */
export class OpenIndex implements IndexView {
  readonly snapshot: Snapshot;
  readonly links: FileLinks;
  readonly #store: IndexStore;
  readonly #segments: (SegmentReader | undefined)[] = [];

  constructor(store: IndexStore, snapshot: Snapshot, links: FileLinks | null) {
    this.#store = store;
    this.snapshot = snapshot;
    this.links = links ?? NO_LINKS;
  }

  /** The index of a stored snapshot, or null when something it needs is gone or damaged. */
  static tryOpen(store: IndexStore, snapshot: Snapshot): OpenIndex | null {
    if (!OpenIndex.isIntact(store, snapshot)) return null;
    try {
      const links = store.openLinks(snapshot.links);
      return links && new OpenIndex(store, snapshot, links);
    } catch (error) {
      if (error instanceof DamagedFileError) return null;
      throw error;
    }
  }

  /** All segments are there and their directories are whole; their sections are checked when they are read. */
  static isIntact(store: IndexStore, snapshot: Snapshot): boolean {
    try {
      return snapshot.segments.every((name) => {
        const segment = store.openSegment(name);
        segment?.close();
        return segment !== null;
      });
    } catch (error) {
      if (error instanceof DamagedFileError) return false;
      throw error;
    }
  }

  segment(number: number): SegmentReader {
    let segment = this.#segments[number];
    if (!segment) {
      const name = this.snapshot.segments[number] ?? '';
      const opened = this.#store.openSegment(name);
      if (!opened) throw new DamagedFileError(`segment "${name}" is gone`);
      segment = opened;
      this.#segments[number] = segment;
    }
    return segment;
  }

  segmentOf(file: SnapshotFile): SegmentReader {
    return this.segment(file.segment);
  }

  /** Reads every byte behind the snapshot; throws `DamagedFileError` at the first that is wrong. */
  verify(): void {
    this.snapshot.segments.forEach((_, number) => {
      this.segment(number).verify();
    });
    this.close();
  }

  close(): void {
    for (const segment of this.#segments) segment?.close();
    this.#segments.length = 0;
  }
}
