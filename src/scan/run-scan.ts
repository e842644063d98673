import type { Settings } from '../config/settings.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { ScanMode } from '../model/scan-result.ts';
import { coreCount, parserNodeOptions, workerModule } from '../platform/host.ts';
import { DamagedFileError } from '../store/section-file.ts';
import { openRepository, type Repository } from './repository.ts';
import { recordScan } from './scan-history.ts';
import { type Scan, type ScanOptions, scanRepository } from './scan-repository.ts';

/** How far a scan has come. */
export interface ScanStep {
  readonly label: string;
  readonly done: number;
  /** 0 while it is not known. */
  readonly total: number;
}

export interface ScanRequest {
  readonly repo: string;
  readonly mode: ScanMode;
  readonly settings: Settings;
  /** Look at every file's content instead of trusting its time and size. */
  readonly verify?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (step: ScanStep) => void;
}

const MAX_DEFAULT_WORKERS = 4;

function scanOptions(request: ScanRequest): ScanOptions {
  const { settings, mode, verify = false, signal, onProgress } = request;
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
      workers: settings.parseWorkers || Math.min(coreCount(), MAX_DEFAULT_WORKERS),
      workerModule: workerModule('scan-worker'),
      nodeOptions: parserNodeOptions(),
      signal,
    },
  };
}

const REBUILT: Diagnostic = {
  code: 'index-rebuilt',
  severity: 'info',
  message: 'the stored index was damaged and was built anew',
};

/** Opens a repository, scans it with the user's settings and keeps a line of history. */
export async function runScan(request: ScanRequest): Promise<Scan & { readonly repository: Repository }> {
  const repository = await openRepository(request.repo, request.settings.cacheDir);
  const options = scanOptions(request);
  const scan = await scanRepository(repository, options).catch((error: unknown) => {
    if (!(error instanceof DamagedFileError)) throw error;
    return scanRepository(repository, { ...options, mode: 'full' }).then((again) => ({
      ...again,
      result: { ...again.result, diagnostics: [REBUILT, ...again.result.diagnostics] },
    }));
  });
  recordScan(repository, scan.result);
  return { ...scan, repository };
}
