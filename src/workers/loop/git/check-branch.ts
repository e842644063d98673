import { LoadoutError } from '../../../model/loadout-error.ts';
import type { LoopPlace } from '../loop-place.ts';
import type { LoopGit } from './loop-git.ts';

export interface BranchState {
  readonly branch: string;
  readonly head: string;
  /** Files of the loop's state that the user has changed by hand and not committed, or that git ignores. */
  readonly editedState: readonly string[];
  /** The goal file is in no commit as it is. */
  readonly hasNewGoal: boolean;
  /** The main branch, or none: only a start may begin there, and leaves it. */
  readonly mustLeave: boolean;
}

const MAIN_NAMES = new Set(['main', 'master', 'trunk']);
const SHOWN_FILES = 5;

/** What a start may do that a step may not. */
export interface StartRights {
  /** Begin on the main branch or on none, and leave it. */
  readonly mayLeave?: boolean;
  /** Take this file along although it is in no commit. */
  readonly goalFile?: string | undefined;
}

/** The loop commits: it works on a branch that is meant for it, and never over something that is in no commit. */
export async function checkBranch(
  git: LoopGit,
  place: LoopPlace,
  { mayLeave = false, goalFile }: StartRights = {},
): Promise<BranchState> {
  const [branch, head, remoteMain] = await Promise.all([git.branch(), git.head(), git.remoteMain()]);
  const name = branch?.replace(/^refs\/heads\//, '') ?? null;
  const switchTo = 'go to the branch of the loop (git switch NAME), or make one: git switch -c loop';
  if (head === null) throw refuse('no-commit', 'the repository has no commit yet', 'make a first commit');
  const isMain = name !== null && (MAIN_NAMES.has(name) || `origin/${name}` === remoteMain);
  if (name === null && !mayLeave) throw refuse('no-branch', 'no branch is checked out', switchTo);
  if (isMain && !mayLeave)
    throw refuse('on-main-branch', `the loop commits, and ${name} is the main branch`, switchTo);
  const changed = (await git.changedFiles()).filter((path) => !isEphemeral(place, path));
  const isOwn = (path: string) => path.startsWith(`${place.folder}/`);
  const others = changed.filter((path) => !isOwn(path) && path !== goalFile);
  if (others.length > 0) {
    const more = others.length > SHOWN_FILES ? ` and ${others.length - SHOWN_FILES} more` : '';
    const message = `there are changes that are in no commit: ${others.slice(0, SHOWN_FILES).join(', ')}${more}`;
    throw refuse('dirty-tree', message, 'commit them, or put them away: git stash --include-untracked');
  }
  const mustLeave = branch === null || isMain;
  // A worker finds only what is committed, so the state of an ignored folder counts as changed, too.
  const { tree, runState, assumptions, questions } = place;
  const unknown = await git.untracked([tree, runState, assumptions, questions]);
  const editedState = [...new Set([...changed.filter(isOwn), ...unknown])];
  const hasNewGoal = goalFile !== undefined && changed.includes(goalFile);
  return { branch: branch ?? '', head, editedState, hasNewGoal, mustLeave };
}

/** Files that the loop writes beside git. */
function isEphemeral({ context, iterations }: LoopPlace, path: string): boolean {
  return (
    path.startsWith(`${iterations}/`) || path.startsWith(`${context}/`) || path.startsWith(`${context}.`)
  );
}

function refuse(code: string, message: string, hint: string): LoadoutError {
  return new LoadoutError(code, message, { hint });
}
