/**
 * `loadout scan`: brings the index up to date, once or whenever files change. It can also fill a team's store
 * and write the AST context of each module.
 */

import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import type { LanguageLinks, ScanResult } from '../../../model/snapshot.ts';
import type { OpenScan, ScanRequest } from '../../../scan/index.ts';
import type { FillReport } from '../../../stores/index.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { align, type Colors, printable } from '../views/output.ts';

/** The folder of `--ast-context` when none is given. */
const AST_FOLDER = '.loadout/ast-context';

/** The command `scan`. Other commands scan by themselves; this one shows the result. */
export const scan: CliCommand = {
  name: 'scan',
  summary: 'Bring the index of the repository up to date.',
  arguments: [],
  groups: [
    { title: 'What to scan', flags: ['--mode', '--include', '--exclude', '--max-file-size', '--verify'] },
    { title: 'Output', flags: ['--changed-since', '--history', '--ast-context'] },
    { title: 'Keep up to date', flags: ['--watch', '--interval'] },
    { title: 'Team store', flags: ['--store', '--store-as', '--store-branch'] },
  ],
  settings: [
    'scanMode',
    'scanInterval',
    'include',
    'exclude',
    'maxFileBytes',
    'maxFiles',
    'parseTimeout',
    'parseWorkers',
    'cacheDir',
    'store',
    'storeRepository',
    'storeBranch',
  ],
  flags: [
    {
      syntax: '--ast-context [DIR]',
      help: `Write ast_context.json for each module below DIR. (default: ${AST_FOLDER})`,
    },
    {
      syntax: '--verify',
      help: 'Read every file and the whole index again, whatever their times and sizes say.',
    },
    {
      syntax: '--changed-since <COMMIT>',
      help: 'Also list the files that differ from a commit, and new files on disk.',
    },
    { syntax: '--watch', help: 'Scan again whenever files change, and after each --interval.' },
    { syntax: '--history', help: 'List earlier scans that found changes, oldest first; do not scan.' },
  ],
  examples: [
    { line: 'loadout scan', does: 'scan what changed since the last scan' },
    { line: 'loadout scan --mode full --json', does: 'scan everything, and print the result as JSON' },
    { line: "loadout scan --include 'src/**' --exclude '*.snap'", does: 'scan a part of the repository' },
    { line: 'loadout scan --store team', does: "scan, then update this branch in the team's store" },
    { line: 'loadout scan --watch', does: 'keep the index current until interrupted' },
  ],
  run: async (call) => {
    if (call.flags.history === true) return showHistory(call);
    const { settings, diagnostics } = await call.settings();
    const request: ScanRequest = {
      repo: call.repository().path,
      mode: settings.scanMode,
      settings,
      verify: call.flags.verify === true,
      signal: call.signal,
      onProgress: call.output.progress.update,
    };
    await scanOnce(call, request, diagnostics);
    if (call.flags.watch === true) await scanOnChange(call, { ...request, mode: 'incremental' });
    return 0;
  },
};

/** One scan with its report. The store and the AST context are written while the index is open. */
async function scanOnce(
  call: CommandCall,
  request: ScanRequest,
  before: readonly Diagnostic[],
): Promise<void> {
  const { useIndex } = await import('../../../scan/index-session.ts');
  const folder = await astFolder(call, request.repo);
  const { result, written, filled } = await useIndex(request, async (open) => {
    const filled = request.settings.store === '' ? null : await fillStore(call, open, request);
    if (folder === null) return { result: open.result, written: 0, filled };
    const { writeAstContexts } = await import('../../../context/ast-context.ts');
    return { result: open.result, written: writeAstContexts(open.index, folder), filled };
  });
  const { changedSince } = call.flags;
  const changedFiles =
    typeof changedSince === 'string' ? await listChanged(request.repo, changedSince) : null;
  call.output.progress.clear();
  call.output.diagnostics(result.diagnostics);
  if (call.global.json) {
    const extra = { ...(changedFiles ? { changedFiles } : {}), ...(filled ? { store: filled } : {}) };
    call.output.json({ ...scanJson(result, before), ...extra });
    return;
  }
  for (const line of formatScan(result, call.output.colors)) call.output.line(line);
  if (changedFiles)
    call.output.line(`  ${changedFiles.length} files changed since ${printable(String(changedSince))}`);
  for (const path of changedFiles ?? []) call.output.line(`    ${printable(path)}`);
  if (filled) call.output.line(`  ${printable(filled.store)}: ${sentText(filled)}`);
  if (folder !== null) call.output.line(`  ${written} ast_context.json below ${printable(folder)}`);
}

/** Files that differ from a commit, as the library lists them. */
async function listChanged(repo: string, since: string): Promise<string[]> {
  const { changedFiles } = await import('../../library/scan-and-map.ts');
  return changedFiles({ repo, since });
}

/** Brings this branch in the team's store up to date. */
async function fillStore(call: CommandCall, open: OpenScan, request: ScanRequest): Promise<FillReport> {
  const { fillTeamStore } = await import('../../../stores/team/fill-team-store.ts');
  const { settings } = request;
  return fillTeamStore(open, { settings, signal: call.signal, onProgress: call.output.progress.update });
}

/** The update of the store, in one line. */
function sentText({ repository, branch, changed, sent, kept, removed, bytesSent }: FillReport): string {
  const name = printable(`${repository}, branch ${branch}`);
  if (!changed) return `${name} is unchanged`;
  return `${name}: ${sent} files sent (${(bytesSent / 1e6).toFixed(1)} MB), ${kept} kept, ${removed} removed`;
}

/** The folder of `--ast-context`; null without the flag. The default is always inside the repository. */
async function astFolder(call: CommandCall, repo: string): Promise<string | null> {
  const { astContext } = call.flags;
  if (astContext === undefined) return null;
  if (typeof astContext === 'string') return resolve(call.io.cwd, astContext);
  const { makeFolderInside } = await import('../../../platform/fs/make-folder.ts');
  return makeFolderInside(repo, AST_FOLDER);
}

/** Scans again on every change, and after each interval, because a watcher may miss events when its queue overflows. */
async function scanOnChange(call: CommandCall, request: ScanRequest): Promise<void> {
  const { watchTree } = await import('../../../platform/fs/watch-tree.ts');
  const watch = await watchTree(request.repo, call.signal);
  const { scanInterval } = request.settings;
  try {
    while (!call.signal.aborted) {
      // Stop the timer when a change comes first, so that timers do not add up.
      const pause = new AbortController();
      const signal = AbortSignal.any([call.signal, pause.signal]);
      const tick = scanInterval > 0 ? [delay(scanInterval, undefined, { signal }).catch(() => {})] : [];
      await Promise.race([watch.changed(), ...tick]);
      pause.abort();
      if (!call.signal.aborted) await scanOnce(call, request, []);
    }
  } finally {
    await watch.close();
  }
}

/** Earlier scans that found changes, oldest first. */
async function showHistory(call: CommandCall): Promise<number> {
  const { settings } = await call.settings();
  const { openRepository } = await import('../../../scan/repository.ts');
  const { readScanHistory } = await import('../../../scan/run-scan.ts');
  const history = readScanHistory(await openRepository(call.repository().path, settings.cacheDir));
  if (call.global.json) call.output.json({ scans: history });
  else
    for (const { at, mode, filesChanged, filesScanned, durationSeconds, gitSha } of history)
      call.output.line(
        `${at}  ${mode}  ${filesChanged} of ${filesScanned} files changed  ${durationSeconds.toFixed(2)} s  ${gitSha.slice(0, 12)}`.trimEnd(),
      );
  return 0;
}

/** Lists the fields one by one, because other programs rely on their names. */
export function scanJson(result: ScanResult, before: readonly Diagnostic[]) {
  return {
    filesScanned: result.filesScanned,
    filesChanged: result.filesChanged,
    filesSkipped: result.filesSkipped,
    symbolsIndexed: result.symbolsIndexed,
    dependenciesIndexed: result.dependenciesIndexed,
    durationSeconds: result.durationSeconds,
    gitSha: result.gitSha,
    mode: result.mode,
    links: result.links,
    diagnostics: [...before, ...result.diagnostics],
  };
}

/** Thousands are separated by commas. */
const number = (value: number): string => value.toLocaleString('en-US');

/** A scan for people: files, changes, skipped files, and how many imports were resolved. */
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

/** How many files were skipped, by reason, the most frequent first. */
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
