import { STAGED_DIFF } from '../context/roles/field-kinds.ts';
import type { Role } from '../context/roles/role.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { PreparedRun } from './prepare-run.ts';
import type { RunRequest } from './run-request.ts';
import { readStaged, writeDiskTree, writeStagedTree } from './worktrees/staged-tree.ts';
import type { TreePlace } from './worktrees/tree-place.ts';

/** What a worker starts from beyond the last commit. */
export interface StagedStart {
  /** Null when that is nothing. */
  readonly tree: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is on disk when a change is asked for; else what is staged, for a role that is shown it or on request. */
export async function findStaged(
  { staged, change }: Pick<RunRequest, 'staged' | 'change'>,
  { role, git, commit }: Pick<PreparedRun, 'role' | 'git' | 'commit'>,
  place: TreePlace,
  run: string,
): Promise<StagedStart> {
  if (change !== undefined) return { tree: await writeDiskTree(git, place, run, commit), diagnostics: [] };
  if (!(staged ?? isShownStaged(role))) return { tree: null, diagnostics: [] };
  const files = await readStaged(git, place, commit);
  if (files.unmerged.length > 0 && staged !== true)
    return without('warning', 'files are in conflict: the worker started from the last commit');
  if (files.entries.length + files.unmerged.length > 0)
    return { tree: await writeStagedTree(place, run, commit, files), diagnostics: [] };
  if (staged === true || asksForDiff(role))
    return without('info', 'nothing is staged: the worker started from the last commit');
  return { tree: null, diagnostics: [] };
}

function isShownStaged({ context }: Pick<Role, 'context'>): boolean {
  return context.gitDiff || asksForDiff({ context });
}

function asksForDiff({ context }: Pick<Role, 'context'>): boolean {
  const include: readonly string[] = context.include;
  return include.includes(STAGED_DIFF);
}

function without(severity: Diagnostic['severity'], message: string): StagedStart {
  return { tree: null, diagnostics: [{ code: 'nothing-staged', severity, message }] };
}
