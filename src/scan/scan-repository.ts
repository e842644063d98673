import { type DiscoverOptions, discoverFiles } from '../discover/discover-files.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { ScanMode, ScanResult } from '../model/scan-result.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { detectLanguage, isTestPath, parserName } from '../parse/detect-language.ts';
import { BUILT_FORMATS } from '../platform/built-formats.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import { OpenIndex } from '../store/open-index.ts';
import { snapshotId } from '../store/snapshot-codec.ts';
import { assembleSnapshot } from './assemble-snapshot.ts';
import { areSameFiles, countChanges, isSameState } from './compare-snapshots.ts';
import { EarlierWork } from './earlier-work.ts';
import { toBatches } from './plan-scan.ts';
import type { Repository } from './repository.ts';
import { buildSegments, EarlyWorker, type PoolOptions } from './segment-pool.ts';
import { settleLinks } from './settle-links.ts';
import { NO_TURN, takeTurn } from './take-turn.ts';

export interface ScanOptions extends DiscoverOptions {
  readonly mode: ScanMode;
  /** Look at every file's content instead of trusting its time and size, and at every byte of the index. */
  readonly verify: boolean;
  readonly parseTimeoutMs: number;
  readonly pool: Omit<PoolOptions, 'onProgress'>;
  readonly onProgress: (step: {
    readonly label: string;
    readonly done: number;
    readonly total: number;
  }) => void;
}

export interface Scan {
  readonly result: ScanResult;
  readonly index: OpenIndex;
}

/** Brings the index of a repository up to date and opens it. */
export async function scanRepository(repository: Repository, options: ScanOptions): Promise<Scan> {
  const worker = new EarlyWorker();
  try {
    return await scanWith(worker, repository, options);
  } finally {
    worker.dismiss();
  }
}

async function scanWith(worker: EarlyWorker, repository: Repository, options: ScanOptions): Promise<Scan> {
  const started = monotonicMs();
  const startedAt = wallClockMs();
  const { root, git, store } = repository;
  const { include, exclude, maxFileBytes, maxFiles } = options;
  // files that another version has classified are looked at again, and their findings kept
  const view = JSON.stringify([BUILT_FORMATS.rules, include, exclude, maxFileBytes, maxFiles]);
  const name = store.snapshotName(root.path, view);

  const earlier = new EarlierWork(repository, name, options);
  const known = earlier.knownFiles((path) =>
    worker.start(options.pool, { path, parseLimitMs: options.parseTimeoutMs }),
  );

  options.onProgress({ label: 'listing files', done: 0, total: 0 });
  const discovery = await discoverFiles(root, git, describeLanguage, options, known);
  const head = git?.headAtOpening ?? null;
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
    const { built, diagnostics } = await buildSegments(
      toBatches(unread, options.pool.workers, parserName),
      {
        root: root.path,
        folder: repository.cache.path,
        maxFileBytes: options.maxFileBytes,
        parseLimitMs: options.parseTimeoutMs,
      },
      (batch) => store.segmentName(`${unique}-${batch}`),
      {
        ...options.pool,
        onProgress: (done) => options.onProgress({ label: 'reading files', done, total: unread.length }),
      },
      worker,
    );

    options.onProgress({ label: 'linking files', done: 0, total: 0 });
    const { files, segments } = assembleSnapshot(plan, built, startedAt);
    const id = before && areSameFiles(before.files, files) ? before.id : snapshotId(files);
    const { basis } = discovery;
    const draft: Snapshot = { id, root: root.path, gitSha: head ?? '', segments, files, links: '', basis };
    const { links, linksName } = settleLinks(repository, draft, previous, store.linksName(unique));
    const snapshot = { ...draft, links: linksName };
    if (!isSameState(before, snapshot)) store.commit(name, snapshot, before, startedAt);
    if (built.length > 0) store.collectGarbage(startedAt);

    const result: ScanResult = {
      filesScanned: files.filter(({ skip }) => skip === null).length,
      filesChanged: countChanges(before, snapshot),
      filesSkipped: files.flatMap(({ path, skip }) => (skip === null ? [] : [{ path, reason: skip }])),
      symbolsIndexed: files.reduce((sum, { symbolCount }) => sum + symbolCount, 0),
      dependenciesIndexed: links.imports.targets.length,
      durationSeconds: Math.round(monotonicMs() - started) / 1000,
      gitSha: head ?? '',
      mode: options.mode,
      links: links.languages,
      diagnostics: [...repository.diagnostics, ...discovery.diagnostics, ...plan.notes, ...diagnostics],
    };
    return { result, index: new OpenIndex(store, snapshot, links) };
  } finally {
    turn.release();
  }
}

export function describeLanguage(path: string, head: string | null) {
  const language = detectLanguage(path, head);
  return language && { id: language.id, kind: language.kind, isTest: isTestPath(path, language) };
}
