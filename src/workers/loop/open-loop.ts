// A loop that this process holds open: its lock, its files, and the one way to commit. `start-loop.ts` and
// `run-task-tree.ts` work through it.
import { randomBytes } from 'node:crypto';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';
import { makeFolderInside, removeFolder } from '../../platform/fs/make-folder.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { type GitWriter, openGitWriter } from '../../platform/git/git-writer.ts';
import { advanceBranch, type BranchState, checkBranch, finishMove, type StartRights } from './loop-branch.ts';
import { type LoopPlace, noLoop, openLoopPlace } from './loop-files.ts';
import { type FileTexts, type LoopGit, openLoopGit } from './loop-git.ts';
import { needTree } from './read-task-tree.ts';

/** Lines of the ignore file in the folder of a loop. `context.*` are folders that are being replaced. */
const IGNORED = ['/context/', '/context.*/', '/iterations/'];

/** More than any ignore file that people write. */
const MAX_IGNORE_BYTES = 100_000;

/** A loop that only this process works on. */
export interface OpenLoop {
  readonly place: LoopPlace;
  readonly git: LoopGit;
  /** Notes about an interrupted step that was completed. */
  readonly diagnostics: readonly Diagnostic[];
  /** Where the branch is. Refuses the main branch and uncommitted changes. */
  checkBranch(rights?: StartRights): Promise<BranchState>;
  /** The tree `to` without its changes since `from` at the paths that `isUndone` accepts, and these paths. */
  withoutChanges(
    from: string,
    to: string,
    isUndone: (path: string) => boolean,
  ): ReturnType<LoopGit['withoutChanges']>;
  /**
   * Writes a commit on top of `state`: the tree, or that of the branch when it is null, with these files in it. Then brings
   * the user's branch to it. With `isOver` untracked files may be overwritten.
   */
  commit(
    state: BranchState,
    tree: string | null,
    files: FileTexts,
    message: string,
    isOver?: boolean,
  ): Promise<string>;
}

/** Runs `work` while no other process works on the same loop. An interrupted step is completed first. */
export async function withLoop<T>(
  repository: string,
  folder: string | undefined,
  work: (loop: OpenLoop) => Promise<T>,
  mayBegin = false,
): Promise<T> {
  const place = openLoopPlace(openSafeRoot(repository), folder);
  if (!mayBegin && place.root.stat(place.tree) === null) throw noLoop(place, place.tree);
  const iterations = makeFolderInside(place.root.path, place.iterations);
  const lock = tryLock(`${iterations}/lock`);
  if (lock === null) {
    throw new LoadoutError('loop-running', `another process is working on the loop in ${place.folder}`, {
      subject: place.folder,
      hint: 'wait for it to end, or look at it: loadout loop status',
    });
  }
  try {
    const git = openLoopGit(place.root.path);
    const writer = openGitWriter(place.root.path);
    // A crash may have left a step half done. It is completed before anything else.
    const diagnostics = await finishMove(git, place);
    return await work({
      place,
      git,
      diagnostics,
      checkBranch: (rights) => checkBranch(git, place, rights),
      withoutChanges: (from, to, isUndone) =>
        withIndexFile(iterations, (indexFile) => git.withoutChanges(from, to, isUndone, indexFile)),
      commit: (...args) => commit({ place, git, writer, iterations }, ...args),
    });
  } finally {
    lock.release();
  }
}

/** Builds the commit in an index of its own, then moves the user's branch to it. */
async function commit(
  {
    place,
    git,
    writer,
    iterations,
  }: { place: LoopPlace; git: LoopGit; writer: GitWriter; iterations: string },
  { branch, head, editedState }: BranchState,
  tree: string | null,
  files: FileTexts,
  message: string,
  isOver = false,
): Promise<string> {
  const base = tree ?? (await writer.treeOf(head));
  const all = new Map([...files, [place.ignoreFile, ignoreText(place)]]);
  const whole = await withIndexFile(iterations, (indexFile) => git.treeWith(base, all, indexFile));
  const to = await writer.commitTree(whole, head, message);
  // State that the user edited is on disk already, and must not count as a file in the way.
  await advanceBranch(git, place, { branch, from: head, to }, isOver || editedState.length > 0);
  return to;
}

/** Gives git a file to build a tree in, so that the user's index is not touched. */
async function withIndexFile<T>(folder: string, work: (indexFile: string) => Promise<T>): Promise<T> {
  const indexFile = `${folder}/index-${randomBytes(6).toString('hex')}`;
  try {
    return await work(indexFile);
  } finally {
    removeFolder(indexFile);
  }
}

/** Keeps the lines that are there, because another runner may use the folder, too. */
function ignoreText({ readText, ignoreFile }: LoopPlace): string {
  const existing = readText(ignoreFile) ?? '';
  const missing = IGNORED.filter((line) => !existing.split('\n').includes(line));
  const gap = existing === '' || existing.endsWith('\n') ? '' : '\n';
  return missing.length === 0 ? existing : `${existing}${gap}${missing.join('\n')}\n`;
}

/**
 * Commits state that the user has edited by hand, so that the worker sees it, and the ignore file of the loop. A note that
 * was deleted becomes an empty one.
 */
export async function commitEdits(loop: OpenLoop): Promise<BranchState> {
  const { place, git } = loop;
  const state = await loop.checkBranch();
  const tracked = await git.trackedIn([place.context, place.iterations]);
  if (tracked.length > 0) throw isTracked(place, tracked);
  const files = new Map<string, string>();
  for (const path of [place.tree, place.runState, place.assumptions, place.questions]) {
    const isNote = path === place.assumptions || path === place.questions;
    const text = place.readText(path) ?? (isNote ? '' : null);
    if (text !== null && state.editedState.includes(path)) files.set(path, text);
  }
  const left = state.editedState.filter((path) => !files.has(path) && path !== place.ignoreFile);
  if (left.length > 0) {
    throw new LoadoutError('dirty-tree', `there are uncommitted changes: ${left.join(', ')}`, {
      hint: `undo them: git checkout HEAD -- ${place.folder}`,
    });
  }
  const isIgnoring = (await git.readFile(state.head, place.ignoreFile, MAX_IGNORE_BYTES))?.toString();
  if (state.editedState.length === 0 && isIgnoring === ignoreText(place)) return state;
  const tree = files.get(place.tree);
  if (tree !== undefined) needTree(tree, place.tree);
  const what = files.size > 0 ? 'state edited by hand' : 'keep context and iterations out of git';
  const head = await loop.commit(state, null, files, `loadout loop: ${what}\n`);
  return { ...state, head, editedState: [] };
}

/** The error for files of the loop that git tracks. */
function isTracked({ context, iterations }: LoopPlace, files: readonly string[]): LoadoutError {
  const more = files.length > 1 ? ` and ${files.length - 1} more` : '';
  return new LoadoutError('loop-files-tracked', `git tracks ${files[0]}${more}, which the loop rewrites`, {
    subject: files[0]!,
    hint: `remove it from git: git rm -r --cached --ignore-unmatch ${context} ${iterations} && git commit -m "Untrack loop files"`,
  });
}
