import type { ScanResult } from '../model/scan-result.ts';
import { wallClockMs } from '../platform/clock.ts';
import type { Repository } from './repository.ts';

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

const FILE = 'scans.history';
const KEPT = 100;

export function readScanHistory({ cache }: Repository): readonly ScanRecord[] {
  const text = cache.readAll(FILE)?.toString('utf8') ?? '';
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as ScanRecord];
    } catch {
      // a torn line is history that was never finished
      return [];
    }
  });
}

/** Scans that found nothing new leave no line. */
export function recordScan(repository: Repository, result: ScanResult): void {
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
