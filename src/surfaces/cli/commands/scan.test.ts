import { describe, expect, it } from 'vitest';
import type { ScanResult } from '../../../model/snapshot.ts';
import { createColors } from '../views/output.ts';
import { formatScan, scanJson } from './scan.ts';

const RESULT: ScanResult = {
  filesScanned: 12_345,
  filesChanged: 7,
  filesSkipped: [
    { path: 'a.png', reason: 'binary' },
    { path: 'b', reason: 'symlink' },
    { path: 'c.png', reason: 'binary' },
  ],
  symbolsIndexed: 99_000,
  dependenciesIndexed: 1234,
  durationSeconds: 3.456,
  gitSha: '0123456789abcdef0123456789abcdef01234567',
  mode: 'incremental',
  links: [
    { language: 'quiet', imports: 0, resolved: 0, external: 9 },
    { language: 'small', imports: 3, resolved: 3, external: 0 },
    { language: 'large', imports: 1000, resolved: 996, external: 5 },
  ],
  diagnostics: [{ code: 'parser-crashed', severity: 'warning', message: 'x' }],
};

describe('the result of a scan', () => {
  it('is a short summary for people', () => {
    expect(formatScan(RESULT, createColors(false))).toEqual([
      'incremental scan at 0123456789ab in 3.46 s',
      '  files             12,345 (7 changed)',
      '  symbols           99,000',
      '  edges             1,234',
      '  skipped           3 (binary 2, symlink 1)',
      '  imports resolved  large 99%, small 100%',
    ]);
  });

  it('leaves out rows that have nothing to report', () => {
    const plain = { ...RESULT, filesSkipped: [], links: [], gitSha: '' };
    expect(formatScan(plain, createColors(false)).join('\n')).not.toMatch(/skipped|resolved| at /);
  });

  it('has the documented shape as JSON, with the diagnostics of the settings first', () => {
    const before = { code: 'setting-ignored', severity: 'warning', message: 'y' } as const;
    const json = scanJson(RESULT, [before]);
    expect(Object.keys(json)).toEqual([
      'filesScanned',
      'filesChanged',
      'filesSkipped',
      'symbolsIndexed',
      'dependenciesIndexed',
      'durationSeconds',
      'gitSha',
      'mode',
      'links',
      'diagnostics',
    ]);
    expect(json.diagnostics).toEqual([before, ...RESULT.diagnostics]);
  });
});
