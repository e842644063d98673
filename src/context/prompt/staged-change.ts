import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { inlineText } from '../../redact/inline-text.ts';
import { redactSecrets, type SecretFinding } from '../../redact/redact-secrets.ts';
import type { Repository } from '../../scan/repository.ts';
import { type ChangedFile, type ChangeSelection, readChange } from '../pack/change/read-change.ts';
import { type SourcePart, textPart } from './prompt-section.ts';

const STAGED: ChangeSelection = { base: 'HEAD', staged: true };

export interface StagedChange {
  readonly files: readonly ChangedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What `git diff --cached` shows; nothing, with a note, where git cannot tell. Mostly nothing is: that is asked first. */
export async function readStagedChange({ git, root }: Repository): Promise<StagedChange> {
  try {
    if (git !== null && (await git.run(['diff-index', '--cached', '--quiet', 'HEAD', '--'])).exitCode === 0)
      return { files: [], diagnostics: [] };
    return { files: await readChange(git, root.path, STAGED), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const message = `the staged changes are not shown: ${error.message}`;
    return { files: [], diagnostics: [{ code: 'no-staged-changes', severity: 'info', message }] };
  }
}

export interface CleanDiff {
  readonly text: string;
  readonly findings: readonly SecretFinding[];
}

/** The change as git shows it, of the files that may be shown; empty when there is none. */
export function cleanDiff(
  change: readonly ChangedFile[],
  isAllowed: (path: string) => boolean,
  redact: boolean,
): CleanDiff {
  const shown = change.filter(({ path }) => isAllowed(path));
  const clean = shown.map(({ path, text }) => (redact ? redactSecrets(text, path) : { text, findings: [] }));
  return {
    text: clean.map(({ text }) => text).join(''),
    findings: clean.flatMap(({ findings }) => findings),
  };
}

/** The change as a part of a prompt. */
export function diffPart(diff: string, selection: ChangeSelection = STAGED): SourcePart {
  const body = diff.endsWith('\n') ? diff.slice(0, -1) : diff;
  const heading = `## Git Diff (${titleOf(selection)})`;
  return textPart({ key: 'git_diff', heading, body, fence: 'diff', keeps: 'start' });
}

function titleOf({ base, staged, since }: ChangeSelection): string {
  if (since !== undefined) return `Since ${inlineText(since)}`;
  if (staged) return 'Staged';
  return base === 'HEAD' ? 'Work Tree' : `Since ${inlineText(base)}`;
}
