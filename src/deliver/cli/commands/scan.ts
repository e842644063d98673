import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Diagnostic } from '../../../model/diagnostic.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import type { ScanResult } from '../../../model/scan-result.ts';
import type { ScanRequest } from '../../../scan/run-scan.ts';
import type { CliCommand, CommandCall } from '../command.ts';
import { formatScan } from '../format-scan.ts';
import { printable } from '../printable.ts';

/** Where `--ast-context` writes when no folder is given. */
const AST_FOLDER = '.loadout/ast-context';

export const scan: CliCommand = {
  name: 'scan',
  summary: 'Bring the index of the repository up to date.',
  arguments: [],
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
  ],
  flags: [
    {
      syntax: '--ast-context [DIR]',
      help: 'Write ast_context.json for each module, beside it or below DIR.',
    },
    { syntax: '--verify', help: 'Read every file again instead of trusting its time and size.' },
    { syntax: '--watch', help: 'Keep going: scan again after each --interval, until interrupted.' },
  ],
  examples: [
    { line: 'loadout scan', does: 'what changed since the last scan' },
    { line: 'loadout scan --mode full --json', does: 'everything, with the result as JSON' },
    { line: "loadout scan --include 'src/**' --exclude '*.snap'", does: 'a part of the repository' },
  ],
  run: async (call) => {
    const { settings, diagnostics } = await call.settings();
    const request: ScanRequest = {
      repo: call.repository().path,
      mode: settings.scanMode,
      settings,
      verify: call.flags.verify === true,
      signal: call.signal,
      onProgress: call.output.progress.update,
    };
    if (call.flags.watch === true && settings.scanInterval === 0) {
      throw new LoadoutError(
        'bad-setting',
        'scanInterval is 0, which means only when asked, so --watch has no pace',
        {
          hint: 'give a time, such as --interval 30s',
        },
      );
    }
    await scanOnce(call, request, diagnostics);
    while (call.flags.watch === true && !call.signal.aborted) {
      await delay(settings.scanInterval, undefined, { signal: call.signal });
      await scanOnce(call, { ...request, mode: 'incremental' }, []);
    }
    return 0;
  },
};

async function scanOnce(
  call: CommandCall,
  request: ScanRequest,
  before: readonly Diagnostic[],
): Promise<void> {
  const { runScan } = await import('../../../scan/run-scan.ts');
  const { result, index } = await runScan(request);
  call.output.progress.clear();
  call.output.diagnostics(result.diagnostics);
  if (call.global.json) call.output.json(scanJson(result, before));
  else for (const line of formatScan(result, call.output.colors)) call.output.line(line);
  const { astContext } = call.flags;
  if (astContext === undefined) return;
  const { writeAstContexts } = await import('../../../scan/ast-context.ts');
  const folder =
    typeof astContext === 'string' ? resolve(call.io.cwd, astContext) : resolve(request.repo, AST_FOLDER);
  const written = writeAstContexts(index, folder);
  if (!call.global.json) call.output.line(`  ${written} ast_context.json below ${printable(folder)}`);
}

/** Written out field by field: other programs rely on the names. */
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
