import { type DiscoverOptions, discoverFiles } from '../discover/discover-files.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileClass, FileEntry, StatHint } from '../model/file-entry.ts';
import type { ScanMode, ScanResult } from '../model/scan-result.ts';
import type { Snapshot, SnapshotFile } from '../model/snapshot.ts';
import { detectLanguage, isTestPath } from '../parse/detect-language.ts';
import { monotonicMs, wallClockMs } from '../platform/clock.ts';
import { contentHash } from '../platform/content-hash.ts';
import { snapshotId } from '../store/snapshot-codec.ts';
import { documentKey, type SegmentFileResult } from './build-segment.ts';
import { type Known, planScan, toBatches } from './plan-scan.ts';
import type { Repository } from './repository.ts';
import { buildSegments, type PoolOptions } from './segment-pool.ts';

export interface ScanOptions extends DiscoverOptions {
  readonly mode: ScanMode;
  readonly parseTimeoutMs: number;
  readonly pool: PoolOptions;
}

export interface Scan {
  readonly result: ScanResult;
  readonly snapshot: Snapshot;
}

/** Files changed this shortly before a scan may change again without a new time stamp. */
const RACY_MS = 2_000;

/** Brings the index of a repository up to date and says what it found. */
export async function scanRepository(repository: Repository, options: ScanOptions): Promise<Scan> {
  const started = monotonicMs();
  const startedAt = wallClockMs();
  const { root, git, store } = repository;
  const diagnostics: Diagnostic[] = [...repository.diagnostics];
  const name = store.snapshotName(
    root.path,
    JSON.stringify([options.include, options.exclude, options.maxFileBytes]),
  );
  const [discovery, head] = await Promise.all([
    discoverFiles(root, git, describeLanguage, options),
    git?.head() ?? Promise.resolve(null),
  ]);
  diagnostics.push(...discovery.diagnostics);

  const loaded = options.mode === 'full' ? 'none' : store.load(name);
  if (loaded === 'damaged')
    diagnostics.push({
      code: 'index-rebuilt',
      severity: 'info',
      message: 'the stored index was damaged or of another version and was built anew',
    });
  const previous = typeof loaded === 'object' ? loaded : null;
  const siblings = options.mode === 'full' ? [] : store.loadAll();
  const plan = planScan(discovery.files, previous, siblings);
  const found = new Map<string, Known>(plan.reuse);
  const unread = settleKnownContent(repository, plan.read, siblings, options.maxFileBytes, found);

  const batches = toBatches(unread, options.pool.workers);
  const unique = `${startedAt.toString(36)}-${process.pid.toString(36)}`;
  const { built, diagnostics: problems } = await buildSegments(
    batches,
    {
      root: root.path,
      folder: repository.cache.path,
      maxFileBytes: options.maxFileBytes,
      parseLimitMs: options.parseTimeoutMs,
    },
    (batch) => store.segmentName(`${unique}-${batch}`),
    options.pool,
  );
  diagnostics.push(...problems);

  const fresh = new Map<string, { readonly result: SegmentFileResult; readonly segment: string | null }>();
  for (const batch of built)
    batch.paths.forEach((path, at) => {
      fresh.set(path, { result: batch.files[at]!, segment: batch.segment });
    });
  const snapshot = assemble(root.path, head ?? '', discovery.files, found, fresh, startedAt);
  store.commit(name, snapshot);
  store.collectGarbage(startedAt);

  const changed = countChanges(previous, snapshot);
  const result: ScanResult = {
    filesScanned: snapshot.files.filter(({ skip }) => skip === null).length,
    filesChanged: changed,
    filesSkipped: snapshot.files.flatMap(({ path, skip }) => (skip === null ? [] : [{ path, reason: skip }])),
    symbolsIndexed: snapshot.files.reduce((sum, { symbolCount }) => sum + symbolCount, 0),
    dependenciesIndexed: 0,
    durationSeconds: Math.round(monotonicMs() - started) / 1000,
    gitSha: head ?? '',
    mode: options.mode,
    links: [],
    diagnostics,
  };
  return { result, snapshot };
}

function describeLanguage(path: string, head: string | null) {
  const language = detectLanguage(path, head);
  return language && { id: language.id, kind: language.kind, isTest: isTestPath(path, language) };
}

/** Content that the index knows from another path, branch or work tree needs no second parse. */
function settleKnownContent(
  { root }: Repository,
  entries: readonly FileEntry[],
  siblings: readonly Snapshot[],
  maxFileBytes: number,
  found: Map<string, Known>,
): readonly FileEntry[] {
  const byKey = new Map<string, Known>();
  for (const snapshot of siblings)
    for (const file of snapshot.files)
      if (file.segment >= 0)
        byKey.set(documentKey(file.hash, file.language), { file, segment: snapshot.segments[file.segment]! });
  if (byKey.size === 0) return entries;
  return entries.filter((entry) => {
    const outcome = root.read(entry.path, maxFileBytes);
    if (outcome.kind === 'skipped') return true;
    const known = byKey.get(documentKey(contentHash(outcome.bytes), entry.language));
    if (known) found.set(entry.path, known);
    return !known;
  });
}

function trusted(hint: StatHint | null, startedAt: number): StatHint | null {
  return hint && Math.max(hint.mtimeMs, hint.ctimeMs) < startedAt - RACY_MS ? hint : null;
}

function assemble(
  root: string,
  gitSha: string,
  entries: readonly FileEntry[],
  found: ReadonlyMap<string, Known>,
  fresh: ReadonlyMap<string, { readonly result: SegmentFileResult; readonly segment: string | null }>,
  startedAt: number,
): Snapshot {
  const segments: string[] = [];
  const segmentNumbers = new Map<string, number>();
  const segmentNumber = (name: string): number => {
    let number = segmentNumbers.get(name);
    if (number === undefined) {
      number = segments.push(name) - 1;
      segmentNumbers.set(name, number);
    }
    return number;
  };
  const files: SnapshotFile[] = [];
  for (const entry of entries) {
    const known = found.get(entry.path);
    const read = fresh.get(entry.path);
    if (read?.result.skip === 'vanished') continue;
    const content = known?.file ?? read?.result;
    const saysGenerated = content?.saysGenerated ?? false;
    const place = known ? known.segment : (read?.segment ?? '');
    files.push({
      path: entry.path,
      classification: withGenerated(entry.classification, saysGenerated),
      gitBlob: entry.gitBlob,
      language: content ? content.language : entry.language,
      skip: content ? content.skip : entry.skip,
      hash: content?.hash ?? '',
      size: read?.result.size ?? entry.size,
      hint: trusted(read ? read.result.hint : entry.hint, startedAt),
      segment: content && content.document >= 0 ? segmentNumber(place) : -1,
      document: content?.document ?? -1,
      symbolCount: content?.symbolCount ?? 0,
      saysGenerated,
    });
  }
  return { id: snapshotId(files), root, gitSha, segments, files };
}

function withGenerated(classification: FileClass, saysGenerated: boolean): FileClass {
  if (!saysGenerated || classification.generated) return classification;
  const reasons = [...classification.reasons, 'generated: says so in its first lines'];
  return { ...classification, generated: true, reasons };
}

function countChanges(previous: Snapshot | null, snapshot: Snapshot): number {
  if (!previous) return snapshot.files.filter(({ skip }) => skip === null).length;
  const before = new Map(previous.files.map(({ path, hash }) => [path, hash]));
  let changed = 0;
  for (const { path, hash } of snapshot.files) {
    if (before.get(path) !== hash) changed++;
    before.delete(path);
  }
  return changed + before.size;
}
