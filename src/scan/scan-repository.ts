import { isDeepStrictEqual } from 'node:util';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileLinks } from '../model/file-links.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { ScanMode, ScanResult } from '../model/scan-result.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';
import { BUILT_FORMATS } from '../platform/cache/built-formats.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import { assembleSnapshot } from './assemble-snapshot.ts';
import { type DiscoverOptions, type Discovery, discoverFiles } from './discover/discover-files.ts';
import { EarlierWork } from './earlier-work.ts';
import { OpenIndex } from './format/open-index.ts';
import { snapshotId } from './format/snapshot-codec.ts';
import { filesStillHold, linkSnapshot, manifestsStillHold } from './link-snapshot.ts';
import { detectLanguage, isTestPath, parserName } from './parse/detect-language.ts';
import { EarlyWorkers } from './pool/early-workers.ts';
import { type BuiltSegment, buildSegments, type PoolOptions } from './pool/segment-pool.ts';
import { NO_TURN, takeTurn } from './pool/take-turn.ts';
import { WorkQueue } from './pool/work-queue.ts';
import { relinkSnapshot } from './relink-snapshot.ts';
import type { Repository } from './repository.ts';

export interface ScanOptions extends DiscoverOptions {
  readonly mode: ScanMode;
  /** Look at every file's content instead of trusting its time and size, and at every byte of the index. */
  readonly verify: boolean;
  readonly parseTimeoutMs: number;
  readonly pool: Omit<PoolOptions, 'onProgress' | 'onWritten'>;
  readonly onProgress: (step: {
    readonly label: string;
    readonly done: number;
    readonly total: number;
  }) => void;
  /** What the scan will come to, unless a new file is found: told while git still searches for one. */
  readonly onLikely?: (scan: Scan) => void;
  /** Files are being read in other processes, and this one has nothing to do. */
  readonly onReading?: () => void;
}

export interface Scan {
  readonly result: ScanResult;
  readonly index: OpenIndex;
}

/** Brings the index of a repository up to date and opens it. */
export async function scanRepository(repository: Repository, options: ScanOptions): Promise<Scan> {
  const workers = new EarlyWorkers();
  try {
    return await scanWith(workers, repository, options);
  } finally {
    workers.dismiss();
  }
}

async function scanWith(workers: EarlyWorkers, repository: Repository, options: ScanOptions): Promise<Scan> {
  const started = monotonicMs();
  const startedAt = wallClockMs();
  const { root, git, store } = repository;
  const { include, exclude, maxFileBytes, maxFiles } = options;
  // files that another version has classified are looked at again, and their findings kept
  const view = JSON.stringify([BUILT_FORMATS.rules, include, exclude, maxFileBytes, maxFiles]);
  const name = store.snapshotName(root.path, view);

  const head = git?.headAtOpening ?? '';
  const describe = (index: OpenIndex, filesChanged: number, said: readonly Diagnostic[]): ScanResult => ({
    ...summarize(index),
    filesChanged,
    durationSeconds: Math.round(monotonicMs() - started) / 1000,
    mode: options.mode,
    diagnostics: [...repository.diagnostics, ...said],
  });

  const earlier = new EarlierWork(repository, name, options);
  let likely: OpenIndex | null = null;
  const known = earlier.knownFiles(
    (path) => workers.startOne(options.pool, { path, parseLimitMs: options.parseTimeoutMs }),
    (previous) => {
      const { snapshot, links } = previous;
      if (snapshot.gitSha !== head || !manifestsStillHold(links.basis, snapshot.files, root)) return;
      likely = previous;
      options.onLikely?.({
        index: previous,
        result: describe(previous, 0, snapshot.basis?.diagnostics ?? []),
      });
    },
  );

  if ((options.mode === 'full' || !store.hasSnapshots()) && looksLarge(root)) workers.startAll(options.pool);
  options.onProgress({ label: 'listing files', done: 0, total: 0 });
  const discovery = await discoverFiles(root, git, describeLanguage, options, known);
  if (isListedAs(discovery, likely))
    return { index: likely, result: describe(likely, 0, discovery.diagnostics) };
  if (discovery.files.length === 0 && root.list('') === null)
    throw new LoadoutError('unreadable', `cannot read the directory ${root.path}`, {
      subject: root.path,
      hint: 'check its permissions',
    });
  const first = earlier.plan(discovery.files);
  // whoever has nothing to read waits for nobody
  const turn = first.unread.length > 0 ? await takeTurn(repository.cache, options.pool.signal) : NO_TURN;
  try {
    const plan = turn.waited ? earlier.planAnew(discovery.files) : first;
    const { previous, unread } = plan;
    const before = previous?.snapshot;
    const unique = `${startedAt.toString(36)}-${repository.writerId}`;
    const syncs: Promise<void>[] = [];
    const building = buildSegments(
      new WorkQueue(unread, options.pool.workers, parserName, plan.givenUp),
      {
        root: root.path,
        folder: repository.cache.path,
        maxFileBytes: options.maxFileBytes,
        parseLimitMs: options.parseTimeoutMs,
      },
      (segment) => store.segmentName(`${unique}-${segment}`),
      {
        ...options.pool,
        onProgress: (done) => options.onProgress({ label: 'reading files', done, total: unread.length }),
        onWritten: (segment) => {
          const sync = repository.cache.sync(segment);
          // the commit waits for it, and hears of it then
          sync.catch(() => {});
          syncs.push(sync);
        },
      },
      workers,
    );
    if (unread.length > 0) options.onReading?.();
    const { built, diagnostics } = await building;

    options.onProgress({ label: 'linking files', done: 0, total: 0 });
    const { files, segments } = assembleSnapshot(plan, built, startedAt);
    const id = before && areSameFiles(before.files, files) ? before.id : snapshotId(files);
    const { basis } = discovery;
    const draft: Snapshot = { id, root: root.path, gitSha: head, segments, files, links: '', basis };
    const { links, linksName } = updateLinks(repository, draft, previous, store.linksName(unique));
    const snapshot = { ...draft, links: linksName };
    await Promise.all(syncs);
    if (!isSameState(before, snapshot)) store.commit(name, snapshot, before, startedAt);
    if (built.length > 0) store.collectGarbage(startedAt);

    const index = new OpenIndex(store, snapshot, links);
    const said = [...discovery.diagnostics, ...plan.notes, ...diagnostics, ...damagedGrammars(built)];
    return { index, result: describe(index, countChanges(before, snapshot), said) };
  } finally {
    turn.release();
  }
}

/** Languages whose grammar could not be loaded: their files have no symbols, and nobody would know why. */
function damagedGrammars(built: readonly BuiltSegment[]): Diagnostic[] {
  const counts = new Map<string, number>();
  for (const { paths, files } of built)
    paths.forEach((path, at) => {
      if (files[at]?.problem !== 'no-grammar') return;
      const name = detectLanguage(path, null)?.name ?? path;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    });
  return [...counts].map(([name, count]) => ({
    code: 'grammar-damaged',
    severity: 'warning',
    message: `the grammar for ${name} cannot be loaded: ${count} ${count === 1 ? 'file was' : 'files were'} read as plain text; install Loadout again`,
  }));
}

/** With fewer bytes in git's index, starting to parse early would gain little, and perhaps nothing is to be parsed. */
const LARGE_INDEX = 300_000;

/** Before anything is listed. */
function looksLarge(root: Repository['root']): boolean {
  return (root.stat('.git/index')?.hint.size ?? 0) > LARGE_INDEX;
}

/** The list is that of an index, and so are all files in it. */
function isListedAs(discovery: Discovery, index: OpenIndex | null): index is OpenIndex {
  return (
    index !== null && discovery.files === index.snapshot.files && discovery.basis === index.snapshot.basis
  );
}

function summarize({ snapshot: { files, gitSha }, links }: OpenIndex) {
  return {
    filesScanned: files.filter(({ skip }) => skip === null).length,
    filesSkipped: files.flatMap(({ path, skip }) => (skip === null ? [] : [{ path, reason: skip }])),
    symbolsIndexed: files.reduce((sum, { symbolCount }) => sum + symbolCount, 0),
    dependenciesIndexed: links.imports.targets.length,
    gitSha,
    links: links.languages,
  };
}

export function describeLanguage(path: string, head: string | null) {
  const language = detectLanguage(path, head);
  return language && { id: language.id, kind: language.kind, isTest: isTestPath(path, language) };
}

/** Links are taken over when nothing they rest on has changed; else what the changes can make a difference to is linked anew. */
function updateLinks(
  { store, root, cache }: Repository,
  draft: Snapshot,
  previous: OpenIndex | null,
  newName: string,
): { readonly links: FileLinks; readonly linksName: string } {
  const former = previous && {
    files: previous.snapshot.files,
    links: previous.links,
    segmentOf: (file: SnapshotFile) => previous.segmentOf(file),
  };
  const usable = former && manifestsStillHold(former.links.basis, draft.files, root) ? former : null;
  if (usable && (areSameFiles(usable.files, draft.files) || filesStillHold(usable.links.basis, draft.files)))
    return { links: usable.links, linksName: previous!.snapshot.links };
  const index = new OpenIndex(store, draft, null);
  const segments = { segmentOf: (file: SnapshotFile) => index.segmentOf(file) };
  const relinked = usable && relinkSnapshot(draft.files, segments, usable, root);
  const links = relinked ?? linkSnapshot(draft.files, segments, root);
  index.close();
  previous?.close();
  cache.writeChunks(newName, store.encodeLinks(links));
  return { links, linksName: newName };
}

/** Every file was carried over as it is. */
function areSameFiles(before: readonly SnapshotFile[], files: readonly SnapshotFile[]): boolean {
  if (before === files) return true;
  return before.length === files.length && files.every((file, at) => file === before[at]);
}

/** Nothing worth writing has changed. */
function isSameState(previous: Snapshot | undefined, snapshot: Snapshot): boolean {
  if (!previous || previous.id !== snapshot.id || previous.gitSha !== snapshot.gitSha) return false;
  if (previous.links !== snapshot.links || !isDeepStrictEqual(previous.basis, snapshot.basis)) return false;
  return snapshot.files.every((file, at) => {
    const before = previous.files[at]!;
    if (file === before) return true;
    const sameHint =
      before.hint?.mtimeMs === file.hint?.mtimeMs && before.hint?.ctimeMs === file.hint?.ctimeMs;
    const samePlace = previous.segments[before.segment] === snapshot.segments[file.segment];
    return (
      sameHint && samePlace && before.document === file.document && before.hint?.inode === file.hint?.inode
    );
  });
}

/** Files that came, went or changed their content; both lists are sorted by path. */
function countChanges(previous: Snapshot | undefined, snapshot: Snapshot): number {
  if (!previous) return snapshot.files.filter(({ skip }) => skip === null).length;
  const before = previous.files;
  let at = 0;
  let changed = 0;
  for (const file of snapshot.files) {
    for (; at < before.length && before[at]!.path < file.path; at++) changed++;
    const former = before[at];
    if (former?.path !== file.path) changed++;
    else {
      if (former.hash !== file.hash) changed++;
      at++;
    }
  }
  return changed + before.length - at;
}
