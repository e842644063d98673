// The whole scan on one screen: list files, keep known findings, parse the rest in child processes, link imports,
// commit.
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { ScanMode, ScanResult, Snapshot } from '../model/snapshot.ts';
import { BUILT_FORMATS } from '../platform/cache/built-formats.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import {
  areSameFiles,
  assembleSnapshot,
  countChanges,
  isSameState,
  updateLinks,
} from './assemble-snapshot.ts';
import { type DiscoverOptions, discoverFiles, listingKey } from './discover/index.ts';
import { EarlierWork, type WorkPlan } from './earlier-work.ts';
import { OpenIndex, snapshotId } from './format/index.ts';
import { detectLanguage, isTestPath, parserName } from './parse/index.ts';
import { type BuiltSegment, buildSegments, type PoolOptions, WorkQueue } from './pool/index.ts';
import { NO_TURN, type Repository, takeTurn } from './repository.ts';

/** The options of a scan: which files are listed, which facts are trusted, and how parsers are started. */
export interface ScanOptions extends DiscoverOptions {
  readonly mode: ScanMode;
  /** Read every file instead of trusting its time and size, and check every byte of the index. */
  readonly verify: boolean;
  /** For one file, in milliseconds of work. A file that takes longer is kept as plain text. */
  readonly parseTimeoutMs: number;
  readonly pool: Omit<PoolOptions, 'onProgress' | 'onWritten'>;
  readonly onProgress: (step: {
    readonly label: string;
    readonly done: number;
    readonly total: number;
  }) => void;
}

/** An open index and the account of the scan that brought it up to date. */
export interface Scan {
  readonly result: ScanResult;
  readonly index: OpenIndex;
}

/** Brings the index of a repository up to date and opens it. */
export async function scanRepository(repository: Repository, options: ScanOptions): Promise<Scan> {
  const [started, startedAt] = [monotonicMs(), wallClockMs()];
  const { root, git, store } = repository;
  const head = git?.headAtOpening ?? '';
  const describe = (index: OpenIndex, filesChanged: number, notes: readonly Diagnostic[]): ScanResult => ({
    ...summarize(index),
    filesChanged,
    durationSeconds: Math.round(monotonicMs() - started) / 1000,
    mode: options.mode,
    diagnostics: [...repository.diagnostics, ...notes],
  });

  // The snapshot belongs to one listing of one work tree. Other rules classify files again and keep their findings.
  const name = store.snapshotName(root.path, JSON.stringify([BUILT_FORMATS.rules, listingKey(options)]));
  const earlier = new EarlierWork(repository, name, options);

  // List the files.
  options.onProgress({ label: 'listing files', done: 0, total: 0 });
  const discovery = await discoverFiles(root, git, describeLanguage, options, earlier.knownFiles());
  if (discovery.files.length === 0 && root.list('') === null) throw unreadable(root.path);

  // Nothing changed: the index of the last scan is the answer.
  const unchanged = earlier.unchangedIndex(discovery, head);
  if (unchanged) return { index: unchanged, result: describe(unchanged, 0, discovery.diagnostics) };

  // Decide which files must be parsed. One process at a time parses; without files to parse there is nothing to wait for.
  const first = earlier.plan(discovery.files);
  const turn = first.unread.length > 0 ? await takeTurn(repository.cache, options.pool.signal) : NO_TURN;
  try {
    // Another process that had its turn before may have parsed some of them.
    const plan = turn.waited ? earlier.planAnew(discovery.files) : first;
    const before = plan.previous?.snapshot;

    // Parse them in child processes, which write their findings into new segments.
    const unique = `${startedAt.toString(36)}-${repository.writerId}`;
    const { built, diagnostics, synced } = await parseFiles(plan, unique, repository, options);

    // Join earlier and new findings into the files of a snapshot.
    options.onProgress({ label: 'linking files', done: 0, total: 0 });
    const { files, segments } = assembleSnapshot(plan, built, startedAt);
    const id = before && areSameFiles(before.files, files) ? before.id : snapshotId(files);
    const draft: Snapshot = {
      ...{ id, root: root.path, gitSha: head, segments, files },
      ...{ links: '', basis: discovery.basis },
    };

    // Link imports, as far as a change can make a difference.
    const { links, linksName } = updateLinks(repository, draft, plan.previous, store.linksName(unique));
    const snapshot = { ...draft, links: linksName };

    // Commit the snapshot once its segments are on disk, and remove files that no snapshot uses.
    await synced;
    if (!isSameState(before, snapshot)) store.commit(name, snapshot, before, startedAt);
    if (built.length > 0) store.collectGarbage(startedAt);

    const index = new OpenIndex(store, snapshot, links);
    const notes = [...discovery.diagnostics, ...plan.notes, ...diagnostics, ...damagedGrammars(built)];
    return { index, result: describe(index, countChanges(before, snapshot), notes) };
  } finally {
    turn.release();
  }
}

/** Parses the unread files of a plan. `synced` resolves when all new segments are on disk. */
async function parseFiles(
  { unread, givenUp }: WorkPlan,
  unique: string,
  { root, store, cache }: Repository,
  { pool, maxFileBytes, parseTimeoutMs, onProgress }: ScanOptions,
) {
  const syncs: Promise<void>[] = [];
  const built = await buildSegments(
    new WorkQueue(unread, pool.workers, parserName, givenUp),
    { root: root.path, folder: cache.path, maxFileBytes, parseLimitMs: parseTimeoutMs },
    (segment) => store.segmentName(`${unique}-${segment}`),
    {
      ...pool,
      onProgress: (done) => onProgress({ label: 'reading files', done, total: unread.length }),
      onWritten: (segment) => {
        const sync = cache.sync(segment);
        // The caller awaits `synced`; this only avoids an unhandled rejection.
        sync.catch(() => {});
        syncs.push(sync);
      },
    },
  );
  const synced = Promise.all(syncs);
  synced.catch(() => {});
  return { ...built, synced };
}

/** The error for a folder that cannot be listed at all. */
function unreadable(path: string): LoadoutError {
  return new LoadoutError('unreadable', `cannot read the directory ${path}`, {
    subject: path,
    hint: 'check its permissions',
  });
}

/** Languages whose grammar could not be loaded. Their files have no symbols, and this says why. */
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

/** The language of a file, for the listing: by its name, or by its first line when `head` is given. */
export function describeLanguage(path: string, head: string | null) {
  const language = detectLanguage(path, head);
  return language && { id: language.id, kind: language.kind, isTest: isTestPath(path, language) };
}
