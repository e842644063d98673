import type { Repository } from '../../scan/repository.ts';
import { type ChangeSelection, readChange } from '../pack/change/read-change.ts';
import type { Role } from '../roles/role.ts';
import { readPatterns } from './read-patterns.ts';
import { readStagedChange, type StagedChange } from './staged-change.ts';

export interface RoleChange extends StagedChange {
  /** The change itself is to be shown, not only its files. */
  readonly wantsDiff: boolean;
}

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
  const wantsDiff = context.gitDiff || readPatterns(context.include).wantsStagedDiff;
  const change =
    wantsDiff || usesChange(context) ? await readStagedChange(repository) : { files: [], diagnostics: [] };
  return { ...change, wantsDiff };
}

/** Without targets, tests and imports are those of the change. */
function usesChange({ include, exclude, alwaysInclude, pathRestrictions }: Role['context']): boolean {
  const { variables } = readPatterns([...include, ...exclude, ...alwaysInclude, ...pathRestrictions]);
  return variables.some(({ name }) => name !== '$TARGET' && name !== '$RELATED');
}
