// The user's branch. A loop commits to it, so it refuses the main branch and uncommitted changes, and it can complete a
// move that a crash has interrupted.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside, removeFolder } from '../../platform/fs/make-folder.ts';
import type { LoopPlace } from './loop-files.ts';
import type { LoopGit } from './loop-git.ts';

/** Where the user's branch is, and what is not committed yet. */
export interface BranchState {
  /** `refs/heads/NAME`; empty when no branch is checked out, which only a start allows. */
  readonly branch: string;
  /** The commit that the branch points to. */
  readonly head: string;
  /** Files of the loop's state that the user has changed by hand and not committed, or that git ignores. */
  readonly editedState: readonly string[];
  /** The goal file has changes that are not committed. */
  readonly hasNewGoal: boolean;
  /** The main branch or no branch is checked out. Only a start may begin there, and it makes a branch. */
  readonly mustLeave: boolean;
}

/** Branches that count as the main branch, besides that of the remote. */
const MAIN_NAMES = new Set(['main', 'master', 'trunk']);
/** Files that a message names. */
const SHOWN_FILES = 5;

/** Things that a start may do and a step may not. */
export interface StartRights {
  /** Begin on the main branch or on none, and make another branch. */
  readonly mayLeave?: boolean;
  /** Commit this file, too. */
  readonly goalFile?: string | undefined;
}

/** Refuses the main branch and uncommitted changes: the loop makes commits, and overwrites nothing of the user's. */
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
    throw refuse('on-main-branch', `a loop makes commits, and ${name} is the main branch`, switchTo);
  // Only files of the loop itself, and the goal file of a start, may have uncommitted changes.
  const changed = (await git.changedFiles()).filter((path) => !isEphemeral(place, path));
  const isOwn = (path: string) => path.startsWith(`${place.folder}/`);
  const others = changed.filter((path) => !isOwn(path) && path !== goalFile);
  if (others.length > 0) {
    const more = others.length > SHOWN_FILES ? ` and ${others.length - SHOWN_FILES} more` : '';
    const message = `there are uncommitted changes: ${others.slice(0, SHOWN_FILES).join(', ')}${more}`;
    throw refuse('dirty-tree', message, 'commit them, or stash them: git stash --include-untracked');
  }
  const mustLeave = branch === null || isMain;
  // A worker sees only committed files, so state that git ignores counts as changed, too.
  const { tree, runState, assumptions, questions } = place;
  const unknown = await git.untracked([tree, runState, assumptions, questions]);
  const editedState = [...new Set([...changed.filter(isOwn), ...unknown])];
  const hasNewGoal = goalFile !== undefined && changed.includes(goalFile);
  return { branch: branch ?? '', head, editedState, hasNewGoal, mustLeave };
}

/** Files of the loop that are not in git. */
function isEphemeral({ context, iterations }: LoopPlace, path: string): boolean {
  return (
    path.startsWith(`${iterations}/`) || path.startsWith(`${context}/`) || path.startsWith(`${context}.`)
  );
}

function refuse(code: string, message: string, hint: string): LoadoutError {
  return new LoadoutError(code, message, { hint });
}

/** A move of the user's branch that has begun. It may be half done as long as this is on disk. */
interface PendingMove {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

/** The file with the plan of a move, in the folder of iterations. */
const FILE = 'pending.json';

/**
 * Brings branch, index and files to a commit that is already written. The plan is on disk before the first file changes, so
 * `finishMove` can complete the move after a crash at any moment.
 */
export async function advanceBranch(
  git: LoopGit,
  place: LoopPlace,
  move: PendingMove,
  force = false,
): Promise<void> {
  const folder = makeFolderInside(place.root.path, place.iterations);
  // A user may have committed or switched while the worker was at work.
  const [branch, head] = await Promise.all([git.branch(), git.head()]);
  if (branch !== move.branch || head !== move.from) {
    throw new LoadoutError(
      'branch-moved',
      `${move.branch} has moved during the step: the step is not on the branch`,
      {
        subject: move.branch,
        hint: `its work is in commit ${move.to}; continue from here: loadout loop run`,
      },
    );
  }
  writeFileAtomic(`${folder}/${FILE}`, `${JSON.stringify(move)}\n`);
  try {
    if (force) await git.forceFiles(move.to);
    else await git.moveFiles(move.from, move.to);
  } catch (error) {
    // Git checks all files before it writes one: nothing has moved.
    removeFolder(`${folder}/${FILE}`);
    throw new LoadoutError(
      'would-overwrite',
      `a step would overwrite files that changed meanwhile: ${said(error)}`,
      {
        hint: `commit them or stash them, then continue: loadout loop run (the work of the step is in commit ${move.to})`,
        cause: error,
      },
    );
  }
  await git.moveBranch(move.branch, move.from, move.to);
  removeFolder(`${folder}/${FILE}`);
}

/** Whether a move has begun and is not complete. */
export function isMoving(place: LoopPlace): boolean {
  return place.root.stat(`${place.iterations}/${FILE}`) !== null;
}

/** Completes a move that a crash has interrupted. No change of the user's is overwritten. */
export async function finishMove(git: LoopGit, place: LoopPlace): Promise<readonly Diagnostic[]> {
  const file = `${place.iterations}/${FILE}`;
  const text = place.readText(file);
  if (text === null) return [];
  const move = parse(text);
  const forget = () => void removeFolder(`${place.root.path}/${file}`);
  if (move === null) return forget() ?? [];
  const [branch, head] = await Promise.all([git.branch(), git.head()]);
  if (branch !== move.branch || head === null) {
    throw new LoadoutError('loop-interrupted', `a step was interrupted on ${move.branch}`, {
      subject: file,
      hint: `switch back to it, so that the step can be completed; or give the step up: delete ${file}`,
    });
  }
  // The branch has not moved yet: files may be half written. Complete the move.
  if (head === move.from) {
    await refuseEdits(git, place, move);
    await git.forceFiles(move.to);
    await git.moveBranch(move.branch, move.from, move.to);
    return forget() ?? [];
  }
  // The branch has moved already, by the move itself or by the user.
  forget();
  if (head === move.to || (await git.isAncestor(move.to, head))) return [];
  const message = `the branch has moved since a step was interrupted; the step is in commit ${move.to} alone`;
  return [{ code: 'loop-step-lost', severity: 'warning', message }];
}

/** Half a move leaves files in their old or new state. Any other content is work of the user. */
async function refuseEdits(git: LoopGit, place: LoopPlace, { from, to }: PendingMove): Promise<void> {
  const own = `${place.iterations}/`;
  const context = `${place.context}`;
  const moving = new Set(await git.changedBetween(from, to));
  for (const path of await git.changedFiles()) {
    if (path.startsWith(own) || path.startsWith(context)) continue;
    const blob = moving.has(path) ? await git.blobOf(path) : 'not ours';
    const known = await Promise.all([from, to].map((commit) => git.entry(commit, path)));
    if (blob === null || known.some((entry) => entry?.blob === blob)) continue;
    throw new LoadoutError('dirty-tree', `a step was interrupted, and ${path} was changed since`, {
      subject: path,
      hint: 'stash the change (git stash), continue the loop, then restore it (git stash pop)',
    });
  }
}

/** The message of an error, whatever was thrown. */
function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Null for a plan that a crash has left incomplete. */
function parse(text: string): PendingMove | null {
  const move = jsonOrNull(text) as Partial<PendingMove> | null;
  const isId = (id: unknown) => typeof id === 'string' && /^[0-9a-f]{40,64}$/.test(id);
  return typeof move?.branch === 'string' && isId(move.from) && isId(move.to) ? (move as PendingMove) : null;
}
