import { type DiscoverOptions, discoverFiles } from '../discover/discover-files.ts';
import type { FileLinks } from '../model/file-links.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import type { ScanMode, ScanResult } from '../model/scan-result.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { detectLanguage, isTestPath, parserName } from '../parse/detect-language.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import { OpenIndex } from '../store/open-index.ts';
import { snapshotId } from '../store/snapshot-codec.ts';
import { assembleSnapshot } from './assemble-snapshot.ts';
import { countChanges, isSameState } from './compare-snapshots.ts';
import { knownSnapshots } from './known-snapshots.ts';
import { linkSnapshot, linksStillHold } from './link-snapshot.ts';
import { planScan, toBatches } from './plan-scan.ts';
import type { Repository } from './repository.ts';
import { buildSegments, type PoolOptions } from './segment-pool.ts';
import { settleKnownContent } from './settle-known-content.ts';
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
  const started = monotonicMs();
  const startedAt = wallClockMs();
  const { root, git, store } = repository;
  const view = JSON.stringify([options.include, options.exclude, options.maxFileBytes, options.maxFiles]);
  const name = store.snapshotName(root.path, view);

  options.onProgress({ label: 'listing files', done: 0, total: 0 });
  const [discovery, head] = await Promise.all([
    discoverFiles(root, git, describeLanguage, options),
    git?.head() ?? Promise.resolve(null),
  ]);
  if (discovery.files.length === 0 && root.list('') === null)
    throw new LoadoutError('unreadable', `cannot read the directory ${root.path}`, {
      subject: root.path,
      hint: 'check its permissions',
    });
  const plan = () => {
    const known = knownSnapshots(repository, name, options.mode);
    const { previous, siblings } = known;
    if (options.verify) for (const snapshot of siblings) new OpenIndex(store, snapshot, null).verify();
    const before = previous?.snapshot ?? null;
    const { reuse, read, worn } = planScan(discovery.files, before, siblings, !options.verify);
    const found = new Map(reuse);
    const unread = settleKnownContent(root, read, siblings, worn, options.maxFileBytes, found);
    return { ...known, found, unread };
  };
  const first = plan();
  // whoever has nothing to read waits for nobody
  const turn = first.unread.length > 0 ? await takeTurn(repository.cache, options.pool.signal) : NO_TURN;
  try {
    const { previous, notes, found, unread } = turn.waited ? plan() : first;
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
    );

    options.onProgress({ label: 'linking files', done: 0, total: 0 });
    const { files, segments } = assembleSnapshot(discovery.files, found, built, startedAt);
    const id = snapshotId(files);
    const draft: Snapshot = { id, root: root.path, gitSha: head ?? '', segments, files, links: '' };
    const { links, linksName } = settleLinks(repository, draft, previous, store.linksName(unique));
    const snapshot = { ...draft, links: linksName };
    if (!isSameState(previous?.snapshot, snapshot))
      store.commit(name, snapshot, previous?.snapshot, startedAt);
    if (built.length > 0) store.collectGarbage(startedAt);

    const result: ScanResult = {
      filesScanned: files.filter(({ skip }) => skip === null).length,
      filesChanged: countChanges(previous?.snapshot, snapshot),
      filesSkipped: files.flatMap(({ path, skip }) => (skip === null ? [] : [{ path, reason: skip }])),
      symbolsIndexed: files.reduce((sum, { symbolCount }) => sum + symbolCount, 0),
      dependenciesIndexed: links.imports.targets.length,
      durationSeconds: Math.round(monotonicMs() - started) / 1000,
      gitSha: head ?? '',
      mode: options.mode,
      links: links.languages,
      diagnostics: [...repository.diagnostics, ...discovery.diagnostics, ...notes, ...diagnostics],
    };
    return { result, index: new OpenIndex(store, snapshot, links) };
  } finally {
    turn.release();
  }
}

function describeLanguage(path: string, head: string | null) {
  const language = detectLanguage(path, head);
  return language && { id: language.id, kind: language.kind, isTest: isTestPath(path, language) };
}

/** Links are taken over when nothing they rest on has changed, and made anew otherwise. */
function settleLinks(
  { store, root, cache }: Repository,
  draft: Snapshot,
  previous: OpenIndex | null,
  newName: string,
): { readonly links: FileLinks; readonly linksName: string } {
  if (previous && linksStillHold(previous.links.basis, draft.files, root))
    return { links: previous.links, linksName: previous.snapshot.links };
  const index = new OpenIndex(store, draft, null);
  const links = linkSnapshot(draft.files, (file) => index.segmentOf(file), root);
  index.close();
  cache.writeChunks(newName, store.encodeLinks(links));
  return { links, linksName: newName };
}
