import type { Settings } from '../../config/settings.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { CliIo } from './cli-io.ts';
import { printable } from './printable.ts';

const NO_FILES = 'no-files';

/** The reason for an empty answer is said once, by `sayNothingRelevant`. */
export function withoutNoFiles(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ code }) => code !== NO_FILES);
}

/** Why there was nothing to look at; null when there was. */
export function noFilesMessage(diagnostics: readonly Diagnostic[]): string | null {
  const noFiles = diagnostics.find(({ code }) => code === NO_FILES);
  return noFiles ? `loadout: ${printable(noFiles.message)}\n` : null;
}

/** Says on stderr that the answer is no, and why. Returns the exit code. */
export function sayNothingRelevant(
  io: CliIo,
  { minRelevance }: Settings,
  diagnostics: readonly Diagnostic[],
): number {
  const lower = minRelevance > 0 ? ', or lower --min-relevance' : '';
  io.stderr.write(
    noFilesMessage(diagnostics) ??
      `loadout: no file seems relevant to this task\nhint: say more in the task, name a file or a definition${lower}\n`,
  );
  return 1;
}
