import type { Diagnostic } from '../../../model/diagnostic.ts';
import { LoadoutError } from '../../../model/loadout-error.ts';
import { writeFileAtomic } from '../../../platform/fs/atomic-file.ts';
import { makeFolderInside, removeFolder } from '../../../platform/fs/make-folder.ts';
import type { LoopPlace } from '../loop-place.ts';
import type { LoopGit } from './loop-git.ts';

/** A move of the user's branch that has been decided; as long as it is on disk, the move may be half done. */
interface PendingMove {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
}

const FILE = 'pending.json';

/**
 * Brings branch, index and files to a commit that is already written. A crash at any moment leaves a state from which
 * `finishMove` gets to the commit: the decision is on disk before the first file changes.
 */
export async function advanceBranch(
  git: LoopGit,
  place: LoopPlace,
  move: PendingMove,
  force = false,
): Promise<void> {
  const folder = makeFolderInside(place.root.path, place.iterations);
  const [branch, head] = await Promise.all([git.branch(), git.head()]);
  if (branch !== move.branch || head !== move.from) {
    throw new LoadoutError(
      'branch-moved',
      `somebody moved ${move.branch} meanwhile: the step is not taken over`,
      {
        subject: move.branch,
        hint: `what it did is in commit ${move.to}; go on from here: loadout loop run`,
      },
    );
  }
  writeFileAtomic(`${folder}/${FILE}`, `${JSON.stringify(move)}\n`);
  try {
    if (force) await git.forceFiles(move.to);
    else await git.moveFiles(move.from, move.to);
  } catch (error) {
    // Git looks before it writes: nothing has moved.
    removeFolder(`${folder}/${FILE}`);
    throw new LoadoutError(
      'would-overwrite',
      `a step would overwrite files that changed meanwhile: ${said(error)}`,
      {
        hint: `commit them or put them away, then go on: loadout loop run (what the step did is in commit ${move.to})`,
        cause: error,
      },
    );
  }
  await git.moveBranch(move.branch, move.from, move.to);
  removeFolder(`${folder}/${FILE}`);
}

/** A move has been decided and has not ended. */
export function isMoving(place: LoopPlace): boolean {
  return place.root.stat(`${place.iterations}/${FILE}`) !== null;
}

/** Ends a move that a crash has interrupted. Nothing of the user's is overwritten. */
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
      hint: `go back to it, so that the step can be ended; or give the step up: delete ${file}`,
    });
  }
  if (head === move.from) {
    await refuseEdits(git, place, move);
    await git.forceFiles(move.to);
    await git.moveBranch(move.branch, move.from, move.to);
    return forget() ?? [];
  }
  forget();
  if (head === move.to || (await git.isAncestor(move.to, head))) return [];
  const message = `the branch has moved since a step was interrupted; the step is in commit ${move.to} alone`;
  return [{ code: 'loop-step-lost', severity: 'warning', message }];
}

/** Half a move leaves files as they were or as they will be; anything else is somebody's work. */
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
      hint: 'put the change away (git stash), go on with the loop, then take it back',
    });
  }
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(text: string): PendingMove | null {
  try {
    const move: Partial<PendingMove> | null = JSON.parse(text);
    const isId = (id: unknown) => typeof id === 'string' && /^[0-9a-f]{40,64}$/.test(id);
    return typeof move?.branch === 'string' && isId(move.from) && isId(move.to)
      ? (move as PendingMove)
      : null;
  } catch {
    return null;
  }
}
