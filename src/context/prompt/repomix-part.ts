import type { Settings } from '../../config/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { OpenScan } from '../../scan/run-scan.ts';
import type { FileSection } from './file-section.ts';
import { runRepomix } from './run-repomix.ts';

export interface RepomixPartRequest {
  readonly settings: Settings;
  readonly redact: boolean;
  readonly repomixCommand?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Empty when our own packer is to do it, or has to. */
export async function packWithRepomix(
  { repository }: OpenScan,
  { settings, redact, signal, repomixCommand }: RepomixPartRequest,
  plain: readonly string[],
  taken: ReadonlySet<string>,
): Promise<FileSection & { readonly diagnostics: readonly Diagnostic[] }> {
  const paths = plain.filter((path) => !taken.has(path));
  if (settings.packer !== 'repomix' || paths.length === 0) return { text: '', files: [], diagnostics: [] };
  const answer = await runRepomix({
    repo: repository.root.path,
    paths,
    cacheDirectory: settings.cacheDir,
    redact,
    ...(signal ? { signal } : {}),
    ...(repomixCommand ? { command: repomixCommand } : {}),
  });
  if (answer.kind === 'failed') return { text: '', files: [], diagnostics: [answer.diagnostic] };
  const missing = new Set(answer.missing);
  const files = paths.filter((path) => !missing.has(path)).map((path) => ({ path, form: 'full' as const }));
  return { text: answer.text, files, diagnostics: answer.missing.map(leftOut) };
}

/** What it finds suspicious or ignores by rules of its own. */
function leftOut(path: string): Diagnostic {
  return { code: 'repomix-left-out', severity: 'warning', message: `repomix left out ${path}`, path };
}
