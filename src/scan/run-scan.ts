// A scan with the user's settings, and the housekeeping after it: the scan history and old files of the cache. Sessions and
// the scan command call `runScan`.

import type { Settings } from '../config/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { readJson } from '../model/read-json.ts';
import type { ScanMode, ScanResult } from '../model/snapshot.ts';
import { CacheFolder } from '../platform/cache/cache-folder.ts';
import { wallClockMs } from '../platform/clock.ts';
import { tryLock } from '../platform/fs/file-lock.ts';
import { folderIsGone } from '../platform/fs/make-folder.ts';
import { builtProgram, coreCount, parserNodeOptions } from '../platform/host.ts';
import { REBUILT } from './earlier-work.ts';
import { DamagedFileError, INDEX_FORMAT, IndexStore, isIndexFile, WRITER_LOCK } from './format/index.ts';
import { openRepository, type Repository } from './repository.ts';
import { type Scan, type ScanOptions, scanRepository } from './scan-repository.ts';

/** How far a scan has come. */
export interface ScanStep {
  readonly label: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

/** A request for a scan: the repository and the settings. */
export interface ScanRequest {
  readonly repo: string;
  readonly mode: ScanMode;
  readonly settings: Settings;
  /** Look at every file's content instead of trusting its time and size. */
  readonly verify?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
  /** The caller waits for an answer from the index, so that parsers may use every core. */
  readonly isAwaited?: boolean;
}

/** More processes than this gain little, and each needs memory for its grammars. */
const MAX_DEFAULT_WORKERS = 4;

/**
 * The compiler and garbage collector threads of a parser run beside it, so one core for them makes the whole scan
 * cheapest. An answer that is awaited comes sooner when parsers use that core too.
 */
function defaultWorkers(isAwaited: boolean): number {
  return Math.max(1, Math.min(coreCount() - (isAwaited ? 0 : 1), MAX_DEFAULT_WORKERS));
}

/** Turns settings into the options of a scan. */
function scanOptions(request: ScanRequest): ScanOptions {
  const { settings, mode, verify = false, signal, onProgress } = request;
  const workers = settings.parseWorkers || defaultWorkers(request.isAwaited ?? false);
  return {
    mode,
    verify,
    include: settings.include,
    exclude: settings.exclude,
    maxFileBytes: settings.maxFileBytes,
    maxFiles: settings.maxFiles,
    parseTimeoutMs: settings.parseTimeout,
    onProgress: onProgress ?? (() => {}),
    pool: {
      workers,
      fillsMachine: workers >= coreCount(),
      workerModule: builtProgram('scan-worker.js'),
      nodeOptions: parserNodeOptions(),
      codeFolder: `${settings.cacheDir}/code`,
      signal,
    },
  };
}

/** A finished scan, its open index and the repository it came from. The caller closes the index. */
export interface OpenScan extends Scan {
  readonly repository: Repository;
}

/** Says why there is nothing to choose from, or null when there are files. */
export function describeNoFiles(
  { index, result }: OpenScan,
  { include, exclude }: Settings,
): Diagnostic | null {
  if (index.snapshot.files.some(({ skip }) => skip === null)) return null;
  const skipped = result.filesSkipped.length;
  const patterns = [
    ...include.map((pattern) => `--include ${pattern}`),
    ...exclude.map((pattern) => `--exclude ${pattern}`),
  ];
  const because =
    patterns.length > 0 ? `no file matches ${patterns.join(' ')}` : 'the repository has no files to read';
  const count = skipped === 1 ? '1 file was' : `${skipped} files were`;
  const message = skipped > 0 ? `${because}; ${count} skipped, see loadout scan` : because;
  return { code: 'no-files', severity: 'warning', message };
}

/** Opens a repository, scans it with the user's settings and keeps a line of history. */
export async function runScan(request: ScanRequest): Promise<OpenScan> {
  const repository = await openRepository(request.repo, request.settings.cacheDir);
  const options = scanOptions(request);
  const scan = await scanRepository(repository, options).catch(async (error: unknown) => {
    if (!(error instanceof DamagedFileError)) throw error;
    return rebuilt(await scanRepository(repository, { ...options, mode: 'full' }));
  });
  const result = await keepHouse(repository, request.settings.cacheDir, scan.result);
  return { ...scan, result, repository };
}

/** Work for later scans. This one has its result already, so a full disk becomes a warning. */
async function keepHouse(
  repository: Repository,
  cacheDirectory: string,
  result: ScanResult,
): Promise<ScanResult> {
  if (result.filesChanged === 0 && result.mode === 'incremental') return result;
  try {
    recordScan(repository, result);
    cleanCache(cacheDirectory, wallClockMs());
    return result;
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const note: Diagnostic = { code: 'cache-not-kept', severity: 'warning', message: error.message };
    return { ...result, diagnostics: [...result.diagnostics, note] };
  }
}

/** The same scan, with a diagnostic that the index was damaged and has been built again. */
export function rebuilt<Done extends Scan>(scan: Done): Done {
  return { ...scan, result: { ...scan.result, diagnostics: [REBUILT, ...scan.result.diagnostics] } };
}

/** One line of the scan history, which `loadout scan --history` shows. */
export interface ScanRecord
  extends Pick<
    ScanResult,
    | 'filesScanned'
    | 'filesChanged'
    | 'symbolsIndexed'
    | 'dependenciesIndexed'
    | 'durationSeconds'
    | 'gitSha'
    | 'mode'
  > {
  /** ISO time of the end of the scan. */
  readonly at: string;
  readonly root: string;
  readonly filesSkipped: number;
}

/** In the folder of the index, one JSON object in each line. */
const FILE = 'scans.history';
/** Lines of the history. */
const KEPT = 100;

/** The last scans that found something new, oldest first. */
export function readScanHistory({ cache }: Repository): readonly ScanRecord[] {
  const text = cache.readAll(FILE)?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => {
    // An incomplete line is not a record: its writer was killed.
    const read = readJson(line);
    return read.kind === 'json' ? [read.value as ScanRecord] : [];
  });
}

/** Scans that found nothing new leave no line. */
function recordScan(repository: Repository, result: ScanResult): void {
  const { filesChanged, mode } = result;
  if (filesChanged === 0 && mode === 'incremental') return;
  const record: ScanRecord = {
    at: new Date(wallClockMs()).toISOString(),
    root: repository.root.path,
    filesScanned: result.filesScanned,
    filesChanged,
    filesSkipped: result.filesSkipped.length,
    symbolsIndexed: result.symbolsIndexed,
    dependenciesIndexed: result.dependenciesIndexed,
    durationSeconds: result.durationSeconds,
    gitSha: result.gitSha,
    mode,
  };
  const lines = [...readScanHistory(repository), record].slice(-KEPT).map((one) => JSON.stringify(one));
  repository.cache.write(FILE, `${lines.join('\n')}\n`);
}

const DAY_MS = 24 * 3_600_000;
/**
 * Indexes of other formats may belong to another version of the program that is still in use. Reading leaves no trace,
 * so only writing counts.
 */
const UNUSED_MS = 14 * DAY_MS;
/** A work tree may be on a disk that is not mounted today. */
const GONE_MS = 7 * DAY_MS;
const MARK = 'last-cleaned';
const FORMAT_FOLDER = /^v\d+\.[0-9a-f]+\.\d+$/;
const INDEX_KEY = /-[0-9a-f]{16}$/;

/**
 * Removes indexes of other formats that have not been written for two weeks, and snapshots of work trees that no longer
 * exist. It runs at most once a day, removes only files with our names, and leaves folders with an active writer alone.
 */
export function cleanCache(cacheDirectory: string, nowMs: number): void {
  const indexes = new CacheFolder(`${cacheDirectory}/index`);
  const last = indexes.changedAt(MARK);
  if (last !== null && nowMs - last < DAY_MS) return;
  indexes.write(MARK, '');
  indexes.touch(MARK, nowMs);
  for (const format of indexes.folders().filter((name) => FORMAT_FOLDER.test(name))) {
    const formatFolder = new CacheFolder(indexes.filePath(format));
    for (const key of formatFolder.folders().filter((name) => INDEX_KEY.test(name))) {
      const folder = new CacheFolder(formatFolder.filePath(key));
      if (format === INDEX_FORMAT) forgetGone(folder, nowMs);
      else removeUnused(folder, nowMs);
    }
    if (format !== INDEX_FORMAT) formatFolder.removeIfEmpty();
  }
}

/** Removes an index of another format, when nothing in it is young. */
function removeUnused(folder: CacheFolder, nowMs: number): void {
  const names = folder.list().filter(isIndexFile);
  if (names.some((name) => nowMs - (folder.changedAt(name) ?? 0) < UNUSED_MS)) return;
  asOnlyWriter(folder, () => {
    for (const name of names) folder.remove(name);
  });
  folder.removeIfEmpty();
}

/** Removes the snapshots of work trees that are gone, and then files that no snapshot uses. */
function forgetGone(folder: CacheFolder, nowMs: number): void {
  const store = new IndexStore(folder);
  const isForgotten = (name: string, root: string) =>
    folderIsGone(root) && nowMs - (folder.changedAt(name) ?? nowMs) > GONE_MS;
  const gone = store.snapshotRoots().filter(([name, root]) => isForgotten(name, root));
  if (gone.length === 0) return;
  asOnlyWriter(folder, () => {
    for (const [name] of gone) folder.remove(name);
    store.collectGarbage(nowMs);
  });
  if (store.snapshotRoots().length === 0) removeUnused(folder, nowMs);
}

/** Does nothing when another process holds the lock: the next day is soon enough. */
function asOnlyWriter(folder: CacheFolder, work: () => void): void {
  const lock = tryLock(folder.filePath(WRITER_LOCK));
  if (!lock) return;
  try {
    work();
  } finally {
    lock.release();
  }
}
