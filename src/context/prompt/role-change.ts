import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Repository } from '../../scan/repository.ts';
import { type ChangeSelection, readChange } from '../pack/change/read-change.ts';
import type { Role } from '../roles/role.ts';
import { readPatterns } from './read-patterns.ts';
import { readStagedChange, type StagedChange } from './staged-change.ts';

export interface RoleChange extends StagedChange {
  /** The change itself is to be shown, not only its files. */
  readonly wantsDiff: boolean;
}

const NOTHING_STAGED: Diagnostic = {
  code: 'nothing-staged',
  severity: 'info',
  message: 'nothing is staged: the prompt shows no change',
};

/** The change that the caller asks for, else the staged one, when anything in the role's context speaks of it. */
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
  // A role that works on what is staged has nothing to work on.
  const isIdle = wantsStagedDiff && files.length === 0 && diagnostics.length === 0;
  return { files, diagnostics: isIdle ? [NOTHING_STAGED] : diagnostics, wantsDiff };
}

/** Without targets, tests and imports are those of the change. */
function usesChange({ include, exclude, alwaysInclude, pathRestrictions }: Role['context']): boolean {
  const { variables } = readPatterns([...include, ...exclude, ...alwaysInclude, ...pathRestrictions]);
  return variables.some(({ name }) => name !== '$TARGET' && name !== '$RELATED');
}
