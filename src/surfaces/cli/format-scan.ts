import type { LanguageLinks, ScanResult } from '../../model/scan-result.ts';
import { align } from './align.ts';
import type { Colors } from './colors.ts';

const number = (value: number): string => value.toLocaleString('en-US');

/** A scan for people: what there is, what changed, what was left out, how well imports resolve. */
export function formatScan(result: ScanResult, colors: Colors): string[] {
  const commit = result.gitSha ? ` at ${result.gitSha.slice(0, 12)}` : '';
  const seconds = result.durationSeconds.toFixed(result.durationSeconds < 10 ? 2 : 1);
  const rows = [
    ['files', `${number(result.filesScanned)} (${number(result.filesChanged)} changed)`],
    ['symbols', number(result.symbolsIndexed)],
    ['edges', number(result.dependenciesIndexed)],
    ...skippedRow(result),
    ...linksRow(result.links),
  ];
  return [
    colors.bold(`${result.mode} scan${commit} in ${seconds} s`),
    ...align(rows).map((line) => `  ${line}`),
  ];
}

function skippedRow({ filesSkipped }: ScanResult): string[][] {
  if (filesSkipped.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { reason } of filesSkipped) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const reasons = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const detail = reasons.map(([reason, count]) => `${reason} ${number(count)}`).join(', ');
  return [['skipped', `${number(filesSkipped.length)} (${detail})`]];
}

/** Shares of what could be resolved: an import of an installed package cannot. */
function linksRow(links: readonly LanguageLinks[]): string[][] {
  const shares = links
    .filter(({ imports }) => imports > 0)
    .sort((a, b) => b.imports - a.imports)
    .map(({ language, imports, resolved }) => `${language} ${Math.floor((resolved / imports) * 100)}%`);
  return shares.length === 0 ? [] : [['imports resolved', shares.join(', ')]];
}
