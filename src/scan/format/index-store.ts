// The index on disk: which files make it up, how a commit replaces the old state, and what may be removed. `OpenIndex`
// reads a snapshot with everything behind it.
import { createHash } from 'node:crypto';
import type { IndexView } from '../../model/index-view.ts';
import type {
  EdgeList,
  FileLinks,
  LanguageLinks,
  LinkBasis,
  Snapshot,
  SnapshotFile,
  StatementTargets,
} from '../../model/snapshot.ts';
import { SEGMENT_FORMAT } from './record-codec.ts';
import { DamagedFileError, type RangeReader, SectionFile, writeSections } from './section-file.ts';
import { SegmentReader } from './segment-reader.ts';
import {
  decodeSnapshot,
  decodeSnapshotHead,
  encodeSnapshot,
  SNAPSHOT_FORMAT,
  type SnapshotHead,
} from './snapshot-codec.ts';

/** Must go up when the sections of a links file change. */
const LINKS_FORMAT = 2;

/** The parts of the links that are stored as JSON. */
interface Remarks {
  readonly languages: readonly LanguageLinks[];
  readonly basis: LinkBasis;
}

function encodeLinks({ imports, definers, tests, languages, statements, basis }: FileLinks): Buffer[] {
  return writeSections(LINKS_FORMAT, {
    importStarts: imports.starts,
    importTargets: imports.targets,
    definerStarts: definers.starts,
    definerTargets: definers.targets,
    testStarts: tests.starts,
    testTargets: tests.targets,
    ...(statements && {
      statementStarts: statements.starts,
      statementNumbers: statements.statements,
      statementLists: statements.lists,
      listStarts: statements.listStarts,
      listTargets: statements.listTargets,
    }),
    remarks: Buffer.from(JSON.stringify({ languages, basis } satisfies Remarks)),
  });
}

/** Throws `DamagedFileError` when the bytes are not what was written. */
function decodeLinks(reader: RangeReader): FileLinks {
  const file = new SectionFile(reader, LINKS_FORMAT);
  const edges = (name: string): EdgeList => ({
    starts: file.numbers(`${name}Starts`),
    targets: file.numbers(`${name}Targets`),
  });
  const remarks = JSON.parse(file.section('remarks').toString('utf8')) as Remarks;
  const statements: StatementTargets | null = file.names.includes('statementStarts')
    ? {
        starts: file.numbers('statementStarts'),
        statements: file.numbers('statementNumbers'),
        lists: file.numbers('statementLists'),
        listStarts: file.numbers('listStarts'),
        listTargets: file.numbers('listTargets'),
      }
    : null;
  const all = { imports: edges('import'), definers: edges('definer'), tests: edges('test'), ...remarks };
  return statements ? { ...all, statements } : all;
}

/** The folder of an index; `CacheFolder` of `platform` fits. */
export interface IndexFolder {
  readonly path: string;
  open(name: string): RangeReader | null;
  readAll(name: string): Buffer | null;
  write(name: string, data: Buffer | string): void;
  list(): readonly string[];
  changedAt(name: string): number | null;
  remove(name: string): void;
  touch(name: string, timeMs: number): void;
}

/**
 * The lock of the process that writes. Files whose names continue this one were left by processes that died while
 * taking it.
 */
export const WRITER_LOCK = 'writer.lock';

/** Milliseconds. Younger files without a reference may belong to a scan that is still running. */
const GRACE_MS = 10 * 60_000;

/** The name of the folder for this format. Code that would write other bytes has another folder. */
export const INDEX_FORMAT = `v${SNAPSHOT_FORMAT}.${SEGMENT_FORMAT.toString(16)}.${LINKS_FORMAT}`;

const SEGMENT_SUFFIX = '.segment';
const SNAPSHOT_SUFFIX = '.snapshot';
const LINKS_SUFFIX = '.links';

/**
 * The index of one repository, shared by all its work trees. Segments are immutable and found by content. A snapshot
 * names the segments of one work tree, and replacing this one file is the commit: a reader sees the old state or the
 * new one, whatever happens to the writer.
 */
export class IndexStore {
  readonly folder: IndexFolder;

  constructor(folder: IndexFolder) {
    this.folder = folder;
  }

  /** The file of a work tree under one view: the settings and rules that its list was made with. */
  snapshotName(root: string, view: string): string {
    return `${createHash('sha256').update(`${root}\0${view}`).digest('hex').slice(0, 24)}${SNAPSHOT_SUFFIX}`;
  }

  segmentName(unique: string): string {
    return `${unique}${SEGMENT_SUFFIX}`;
  }

  /** Reads a snapshot. Its segments are not opened. */
  load(name: string): Snapshot | 'none' | 'damaged' {
    const bytes = this.folder.readAll(name);
    if (!bytes) return 'none';
    return decodeSnapshot(bytes) ?? 'damaged';
  }

  /** The other snapshots of this repository: sibling work trees have often read the same content already. */
  loadOthers(name: string): Snapshot[] {
    return this.#snapshotNames()
      .filter((other) => other !== name)
      .map((other) => this.load(other))
      .filter((loaded): loaded is Snapshot => typeof loaded === 'object');
  }

  #snapshotNames(): readonly string[] {
    return this.folder.list().filter((name) => name.endsWith(SNAPSHOT_SUFFIX));
  }

  /** Readable snapshots, each with the path of its work tree. */
  snapshotRoots(): readonly (readonly [name: string, root: string])[] {
    return this.#snapshotNames().flatMap((name) => {
      const head = this.#head(name);
      return head ? [[name, head.root] as const] : [];
    });
  }

  #head(name: string): SnapshotHead | null {
    const range = this.folder.open(name);
    if (!range) return null;
    try {
      return decodeSnapshotHead(range);
    } finally {
      range.close();
    }
  }

  /** Replaces the snapshot of a work tree. Its segments must be on disk already. */
  commit(name: string, snapshot: Snapshot, previous: Snapshot | undefined, nowMs: number): void {
    this.folder.write(name, encodeSnapshot(snapshot));
    // Readers may still use the parts of the previous state, so their grace period begins now.
    const kept = new Set(partsOf(snapshot));
    for (const part of previous ? partsOf(previous) : []) if (!kept.has(part)) this.folder.touch(part, nowMs);
  }

  /** Throws `DamagedFileError` when the segment is gone or not what was written. */
  openSegment(name: string): SegmentReader | null {
    const range = this.folder.open(name);
    if (!range) return null;
    try {
      return new SegmentReader(range);
    } catch (error) {
      range.close();
      throw error;
    }
  }

  linksName(unique: string): string {
    return `${unique}${LINKS_SUFFIX}`;
  }

  encodeLinks(links: FileLinks): Buffer[] {
    return encodeLinks(links);
  }

  /** Throws `DamagedFileError` when the bytes are not what was written. */
  openLinks(name: string): FileLinks | null {
    const range = this.folder.open(name);
    if (!range) return null;
    try {
      return decodeLinks(range);
    } finally {
      range.close();
    }
  }

  /** Removes files that no snapshot uses any more. Returns how many. */
  collectGarbage(nowMs: number): number {
    const used = new Set<string>();
    for (const name of this.#snapshotNames()) {
      const head = this.#head(name);
      if (head) for (const part of partsOf(head)) used.add(part);
    }
    let removed = 0;
    for (const name of this.folder.list()) {
      if (!isDerived(name) || used.has(name)) continue;
      const changed = this.folder.changedAt(name);
      if (changed === null || nowMs - changed < GRACE_MS) continue;
      this.folder.remove(name);
      removed++;
    }
    return removed;
  }
}

/** The files that a snapshot needs. */
function partsOf({ segments, links }: SnapshotHead): readonly string[] {
  return [...segments, links];
}

/** Whether a file belongs to an index, judged by its name; any version may have written it. */
export function isIndexFile(name: string): boolean {
  return isDerived(name) || name === WRITER_LOCK || /\.(snapshot|history)$/.test(name);
}

/** Files that can be removed when no snapshot names them. */
function isDerived(name: string): boolean {
  if (name.startsWith(`${WRITER_LOCK}.`)) return true;
  return [SEGMENT_SUFFIX, LINKS_SUFFIX, '.tmp'].some((suffix) => name.endsWith(suffix));
}

/** For an index that is not linked yet. */
const NO_EDGES = { starts: new Uint32Array(1), targets: new Uint32Array(0) };
const NO_LINKS: FileLinks = {
  imports: NO_EDGES,
  definers: NO_EDGES,
  tests: NO_EDGES,
  languages: [],
  basis: { files: '', manifests: [] },
};

/** A snapshot with its links and segments. Segments are opened when they are needed. */
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

  /** Whether all segments exist and their directories are intact. Sections are checked when they are read. */
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

  /** A segment by its number in the snapshot. It stays open until `close`. */
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

  /** Reads every byte behind the snapshot. Throws `DamagedFileError` at the first wrong one. */
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
