// Everything that a scan can take over from earlier ones: unchanged files of this work tree, and content that another
// path, branch or work tree of the repository has had.
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileEntry } from '../model/file-entry.ts';
import type { ScanMode, Snapshot } from '../model/snapshot.ts';
import { contentHash } from '../platform/fs/read-file.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import type { Discovery, KnownFiles } from './discover/index.ts';
import { OpenIndex } from './format/index.ts';
import { manifestsStillHold } from './link-snapshot.ts';
import {
  asEntry,
  createCarryOver,
  isCarried,
  isLight,
  type Known,
  planScan,
  wornSegments,
} from './plan-scan.ts';
import { documentKey } from './pool/index.ts';
import type { Repository } from './repository.ts';

/** How a scan gets the findings of each listed file: from earlier scans, or by parsing. */
export interface WorkPlan {
  /** All listed files, sorted by path. */
  readonly entries: readonly FileEntry[];
  readonly previous: OpenIndex | null;
  /** By path: findings that can be used. Entries that were carried over with their findings are not in it. */
  readonly found: ReadonlyMap<string, Known>;
  /** Files that have to be parsed. */
  readonly unread: readonly FileEntry[];
  /** Paths of unread files on which a parser hung or crashed before. They are read as plain text at once. */
  readonly givenUp: ReadonlySet<string>;
  readonly notes: readonly Diagnostic[];
}

interface WorkOptions {
  readonly mode: ScanMode;
  readonly verify: boolean;
  readonly maxFileBytes: number;
}

/** Loads the results of earlier scans and decides which can be used again. One object serves one scan. */
export class EarlierWork {
  readonly #repository: Repository;
  readonly #name: string;
  readonly #options: WorkOptions;
  #known: KnownSnapshots | null = null;

  constructor(repository: Repository, name: string, options: WorkOptions) {
    this.#repository = repository;
    this.#name = name;
    this.#options = options;
  }

  /** Loads once. With `verify` every byte of the stored index is checked. */
  load(): KnownSnapshots {
    if (this.#known) return this.#known;
    const known = knownSnapshots(this.#repository, this.#name, this.#options.mode);
    if (this.#options.verify)
      for (const snapshot of known.siblings()) new OpenIndex(this.#repository.store, snapshot, null).verify();
    this.#known = known;
    return known;
  }

  /** The entries that a new listing need not compute again. */
  knownFiles(): KnownFiles {
    const before = () => (this.#options.verify ? null : this.#before());
    return {
      earlier: () => {
        const snapshot = before();
        if (!snapshot?.basis || wornSegments(snapshot).size > 0) return null;
        return { basis: snapshot.basis, files: snapshot.files };
      },
      open: () => createCarryOver(before(), wornSegments(before())),
    };
  }

  /** The index of the last scan when the listing, the commit and the manifests are still the same, else null. */
  unchangedIndex({ files, basis }: Discovery, head: string): OpenIndex | null {
    const { previous } = this.load();
    if (previous === null) return null;
    const { snapshot, links } = previous;
    const isSame = files === snapshot.files && basis === snapshot.basis && snapshot.gitSha === head;
    return isSame && manifestsStillHold(links.basis, snapshot.files, this.#repository.root) ? previous : null;
  }

  /** Sorts the listed files into those whose findings are known and those to parse. */
  plan(entries: readonly FileEntry[]): WorkPlan {
    const { verify, maxFileBytes } = this.#options;
    const { previous, siblings, notes } = this.load();
    const before = this.#before();
    const worn = wornSegments(before);
    const { reuse, read } = planScan(entries, before, siblings, worn, !verify);
    const found = new Map(reuse);
    const { root } = this.#repository;
    const unread = resolveKnownContent(root, read, before, siblings, worn, maxFileBytes, found);
    const givenUp = givenUpBefore(root, unread, previous, worn, maxFileBytes);
    return { entries, previous, found, unread, givenUp, notes };
  }

  /**
   * For use after another process has written the index: entries that were carried over may belong to a state that is
   * gone, so they are planned like all others.
   */
  planAnew(entries: readonly FileEntry[]): WorkPlan {
    this.#known = null;
    return this.plan(entries.map((entry) => (isCarried(entry) ? asEntry(entry) : entry)));
  }

  #before(): Snapshot | null {
    return this.load().previous?.snapshot ?? null;
  }
}

/** For fewer files, parsing is faster than loading the snapshots of other work trees. */
const WORTH_SIBLINGS = 8;

/**
 * Content that the index knows from another path, branch or work tree needs no second parse. Returns the files that do
 * need one, and adds the others to `found`.
 */
function resolveKnownContent(
  root: SafeRoot,
  entries: readonly FileEntry[],
  previous: Snapshot | null,
  siblings: () => readonly Snapshot[],
  worn: ReadonlySet<string>,
  maxFileBytes: number,
  found: Map<string, Known>,
): readonly FileEntry[] {
  if (entries.length === 0) return entries;
  const isWorthSiblings = previous === null || entries.length >= WORTH_SIBLINGS;
  const snapshots = isWorthSiblings ? siblings() : [previous];
  if (snapshots.length === 0) return entries;
  const hashes = entries.map((entry) => {
    const outcome = root.read(entry.path, maxFileBytes);
    return outcome.kind === 'skipped' ? null : contentHash(outcome.bytes);
  });
  const wanted = new Set(hashes);
  const byKey = new Map<string, Known>();
  for (const snapshot of snapshots)
    for (const file of snapshot.files) {
      // A file that was given up has no findings, and is given up again.
      const segment = file.skip === 'unreadable' ? '' : snapshot.segments[file.segment];
      if (wanted.has(file.hash) && segment !== undefined && !worn.has(segment))
        byKey.set(documentKey(file.hash, file.language, isLight(file)), { file, segment });
    }
  return entries.filter((entry, at) => {
    const hash = hashes[at];
    const known = hash ? byKey.get(documentKey(hash, entry.language, isLight(entry))) : undefined;
    if (known) found.set(entry.path, known);
    return !known;
  });
}

/**
 * Files that are parsed again only because their segment is worn, and on which a parser hung or crashed before. Another
 * try would cost the same again.
 */
function givenUpBefore(
  root: SafeRoot,
  unread: readonly FileEntry[],
  previous: OpenIndex | null,
  worn: ReadonlySet<string>,
  maxFileBytes: number,
): ReadonlySet<string> {
  if (previous === null || worn.size === 0) return new Set();
  const { files, segments } = previous.snapshot;
  const isGivenUp = (file: Snapshot['files'][number]) => {
    if (file.document < 0 || !worn.has(segments[file.segment] ?? '')) return false;
    const problem = previous.segmentOf(file).problem(file.document);
    return problem === 'parser-crashed' || problem === 'parser-timeout';
  };
  const known = new Map(files.filter(isGivenUp).map(({ hash, size }) => [hash, size]));
  const sizes = new Set(known.values());
  const isSame = ({ path, size }: FileEntry) => {
    if (!sizes.has(size)) return false;
    const outcome = root.read(path, maxFileBytes);
    return outcome.kind !== 'skipped' && known.has(contentHash(outcome.bytes));
  };
  return new Set(unread.filter(isSame).map(({ path }) => path));
}

/** The snapshots that a scan can build on. */
interface KnownSnapshots {
  /** The last state of this work tree under this view. */
  readonly previous: OpenIndex | null;
  /** All usable snapshots of this repository, the previous one included; loaded when first asked for. */
  readonly siblings: () => readonly Snapshot[];
  readonly notes: readonly Diagnostic[];
}

/** Tells the user why a scan took longer than usual. */
export const REBUILT: Diagnostic = {
  code: 'index-rebuilt',
  severity: 'info',
  message: 'the stored index was damaged or of another version and was rebuilt',
};

/** Opens the snapshots that a scan can build on. A full scan builds on none. */
function knownSnapshots(repository: Repository, name: string, mode: ScanMode): KnownSnapshots {
  if (mode === 'full') return { previous: null, siblings: () => [], notes: [] };
  const { store } = repository;
  const loaded = store.load(name);
  const previous = typeof loaded === 'object' ? OpenIndex.tryOpen(store, loaded) : null;
  let all: readonly Snapshot[] | null = null;
  const siblings = () => {
    if (all === null) {
      const others = store.loadOthers(name).filter((snapshot) => OpenIndex.isIntact(store, snapshot));
      all = previous ? [previous.snapshot, ...others] : others;
    }
    return all;
  };
  const isFirst = loaded === 'none' && siblings().length === 0;
  const isRebuilt = isFirst ? repository.hasFormerIndex() : loaded !== 'none' && !previous;
  return { previous, siblings, notes: isRebuilt ? [REBUILT] : [] };
}
