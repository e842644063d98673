import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { inlineText, redactSecrets, type SecretFinding } from '../../redact/index.ts';
import type { Repository } from '../../scan/index.ts';
import { type ChangedFile, type ChangeSelection, readChange } from '../compose/index.ts';
import { withoutLastLineEnd } from '../render/index.ts';
import type { Role } from '../roles/index.ts';
import { type SourcePart, textPart } from './prompt-parts.ts';
import { readPatterns } from './role-files.ts';

// The change that a prompt shows: chosen by the caller, or the staged one if the role's context refers to it.

interface RoleChange extends StagedChange {
  /** The prompt shows the change itself, not only its files. */
  readonly wantsDiff: boolean;
}

const NOTHING_STAGED: Diagnostic = {
  code: 'nothing-staged',
  severity: 'info',
  message: 'nothing is staged: the prompt shows no change',
};

/** Reads the change that the caller chose, else the staged one if the role's context refers to it. */
export async function readRoleChange(
  context: Role['context'],
  repository: Repository,
  selection?: ChangeSelection,
): Promise<RoleChange> {
  if (selection !== undefined) {
    const files = await readChange(repository.git, repository.root.path, selection);
    return { files, diagnostics: [], wantsDiff: true };
  }
  const { wantsStagedDiff } = readPatterns(context.include);
  const wantsDiff = context.gitDiff || wantsStagedDiff;
  const { files, diagnostics } =
    wantsDiff || usesChange(context) ? await readStagedChange(repository) : { files: [], diagnostics: [] };
  // The role works on the staged change, but nothing is staged: the user should know.
  const isIdle = wantsStagedDiff && files.length === 0 && diagnostics.length === 0;
  return { files, diagnostics: isIdle ? [NOTHING_STAGED] : diagnostics, wantsDiff };
}

/** Whether a variable of the role needs the change. Without targets, tests and imports are those of the change. */
function usesChange({ include, exclude, alwaysInclude, pathRestrictions }: Role['context']): boolean {
  const { variables } = readPatterns([...include, ...exclude, ...alwaysInclude, ...pathRestrictions]);
  return variables.some(({ name }) => name !== '$TARGET' && name !== '$RELATED');
}

const STAGED: ChangeSelection = { base: 'HEAD', staged: true };

interface StagedChange {
  readonly files: readonly ChangedFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The change that `git diff --cached` shows. If git cannot tell, there is none, and a note says so. Mostly nothing is
 * staged, so a quick question comes first.
 */
async function readStagedChange({ git, root }: Repository): Promise<StagedChange> {
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

/** A change without secrets, and the secrets that were found. */
interface CleanDiff {
  readonly text: string;
  readonly findings: readonly SecretFinding[];
}

/** The change as git shows it, for the files that may be shown; empty when there is none. */
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
  const body = withoutLastLineEnd(diff);
  const heading = `## Git Diff (${titleOf(selection)})`;
  return textPart({ key: 'git_diff', heading, body, fence: 'diff', keeps: 'start' });
}

function titleOf({ base, staged, since }: ChangeSelection): string {
  if (since !== undefined) return `Since ${inlineText(since)}`;
  if (staged) return 'Staged';
  return base === 'HEAD' ? 'Work Tree' : `Since ${inlineText(base)}`;
}
