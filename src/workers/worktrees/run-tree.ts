import { wallClockMs } from '../../platform/clock.ts';
import { type GitRunTree, openGitRunTree } from '../../platform/git/git-run-tree.ts';
import { needGit, openGitWriter } from '../../platform/git/git-writer.ts';
import { differencesIn, readRepositoryState, readUserState } from '../../platform/git/own-git-directory.ts';
import { RUN_VARIABLE } from '../../platform/process/marked-processes.ts';
import { RUN_ID } from '../log/run-folder.ts';
import { discardTree, type KeptTree, keepTree, keptTrees } from './kept-trees.ts';
import { type Lease, newLease, readLeases, removeLease, writeLease } from './lease.ts';
import type { TreePlace } from './tree-place.ts';

/** A work tree that belongs to one run until it is given back. */
export interface RunTree extends Omit<GitRunTree, 'reset'> {
  readonly commit: string;
  /** What the worker starts from, to compare snapshots with: the tree of the commit, or what is staged on top of it. */
  readonly baseTree: string;
  /** Names what the worker starts from, history included. */
  readonly state: string;
  /** Makes the tree what it was when it was taken. */
  startOver(): Promise<void>;
  /** To be called while nobody waits: makes the next look at the tree, and the next run, quicker. */
  finishIndex(): void;
  /** From now on the tree is of no use: its content is in the record. New files alone are no changes. */
  finish(hasChanges?: boolean): void;
  /** Branches, settings, hooks and the like of the user's repository that changed since the tree was taken. */
  changesOutside(): Promise<readonly string[]>;
  /** Has the tree stay where it is when it is given back, and says where. */
  keep(why: KeptTree['why']): Promise<KeptTree>;
  /** The run has ended, and its end is written: the tree stays, waits for the next run, or goes. */
  giveBack(): Promise<void>;
}

/** A work tree that no other run can take any more. Nothing has been done to it yet. */
export interface ClaimedTree {
  /** Brings it to the commit. What `findStaged` finds on top of the commit is staged in the tree as well. */
  prepare(findStaged?: () => Promise<string | null>): Promise<RunTree>;
  /** As `RunTree.giveBack`, whether it was prepared or not. */
  giveBack(): Promise<void>;
}

/**
 * Trees that wait for the next run. To check out a large repository takes longer than everything else that a run
 * does by itself; to bring a tree back to a commit takes a tenth of that.
 */
const MAX_IDLE_TREES = 2;

/** Claims a tree and brings it to the commit; no claim is left when that fails. */
export async function takeTree(place: TreePlace, run: string, commit: string): Promise<RunTree> {
  const claimed = await claimTree(place, run, commit);
  try {
    return await claimed.prepare();
  } catch (error) {
    await claimed.giveBack();
    throw error;
  }
}

/**
 * Claims an idle tree, or the name of a new one. No two runs ever get the same, and as long as the claim is there, the
 * next run will write the end of this one should it be killed.
 */
export async function claimTree(place: TreePlace, run: string, commit: string): Promise<ClaimedTree> {
  let lease = await place.alone(async () => {
    const claimed = newLease({ run, tree: idleTrees(place)[0] ?? run, commit, root: place.root });
    writeLease(place.leases, claimed);
    return claimed;
  });
  const { tree: name } = lease;
  let isOurs = true;
  let isReady = false;
  let isKept = false;
  let settling: Promise<void> | null = null;
  const change = (phase: Lease['phase']): void => {
    lease = { ...lease, phase };
    writeLease(place.leases, lease);
  };
  const giveBack = async (): Promise<void> => {
    if (!isOurs) return;
    isOurs = false;
    await settling;
    await place.alone(async () => {
      const isUseful = isReady && idleTrees(place).length < MAX_IDLE_TREES;
      if (!isKept && !isUseful) discardTree(place, name);
      removeLease(place.leases, name);
    });
  };
  const prepare: ClaimedTree['prepare'] = async (findStaged = async () => null) => {
    const git = needGit(place.root);
    const mark = { [RUN_VARIABLE]: run };
    const tree = openTree(place, name, run);
    forgetOtherIndexes(place, name, commit);
    const writer = openGitWriter(place.root, mark);
    const asking = readRepositoryState(git, place.repository, mark);
    const staging = findStaged();
    const finding = treeOfCommit(place, name, commit, () => writer.treeOf(commit));
    // They are waited for once the files are there.
    for (const early of [asking, staging, finding]) early.catch(() => {});
    const startOver = () => tree.reset(commit, asking, staging);
    await startOver().catch(() => {
      // What an earlier run left may not fit any more: another repository can stand at the same path by now.
      discardTree(place, name);
      return startOver();
    });
    const [repository, commitTree, stagedTree] = await Promise.all([asking, finding, staging]);
    const baseTree = stagedTree ?? commitTree;
    if (stagedTree !== null) lease = { ...lease, stagedTree };
    change('running');
    isReady = true;
    return {
      ...tree,
      commit,
      baseTree,
      state: `${commit} ${baseTree}`,
      startOver,
      finishIndex: () => {
        settling ??= finishIndex(place, name, commit, run).catch(() => {});
      },
      finish: (hasChanges = true) => {
        if (hasChanges) unsettleIndex(place, name, commit);
        change('settled');
      },
      changesOutside: async () => differencesIn(repository, await readUserState(git, place.repository, mark)),
      keep: async (why) => {
        await settling;
        tree.bringBack();
        isKept = true;
        return keepTree(place, run, name, why);
      },
      giveBack,
    };
  };
  return { prepare, giveBack };
}

/** The git side of a tree. */
export function openTree(place: TreePlace, name: string, run: string): GitRunTree {
  const path = `${place.trees}/${name}`;
  const [indexFile, asideFolder] = [place.indexes.filePath(name), `${place.aside}/${name}`];
  return openGitRunTree(
    { path, repository: place.repository, indexFile, asideFolder },
    { [RUN_VARIABLE]: run },
  );
}

/** Trees that nobody uses and nobody wants to keep. */
function idleTrees(place: TreePlace): readonly string[] {
  const taken = new Set([...readLeases(place.leases), ...keptTrees(place)].map(({ tree }) => tree));
  return place.indexes.list().filter((name) => RUN_ID.test(name) && !taken.has(name));
}

/** git tells times in seconds: what is older than this was written in an earlier one. */
const OLD_ENOUGH_MS = 1_100;

const OBJECT_ID = /^[0-9a-f]{40,64}$/;

const indexName = (tree: string, commit: string): string => `${tree}.at-${commit}`;

/**
 * git compares a file by its content as long as its index is of the same second, and after a checkout that is every
 * file; one that was put back is written again for every run. An index that is written again later knows better, and
 * what a run asks it takes a third of the time. Only files that are as in the commit are taken for clean, so that an
 * agent may work in the tree meanwhile.
 */
async function finishIndex(place: TreePlace, tree: string, commit: string, run: string): Promise<void> {
  const { indexes } = place;
  const index = indexName(tree, commit);
  const changedAt = indexes.changedAt(index);
  if (changedAt === null || wallClockMs() - changedAt < OLD_ENOUGH_MS) return;
  if (indexes.changedAt(`${index}.settled`) !== null) return;
  // Whoever was killed here left it behind.
  indexes.remove(`${index}.lock`);
  const path = `${place.trees}/${tree}`;
  const { outcome } = await needGit(path)(['update-index', '-q', '--refresh', '--force-write-index'], {
    env: {
      [RUN_VARIABLE]: run,
      GIT_DIR: place.repository.gitDirectory,
      GIT_WORK_TREE: path,
      GIT_INDEX_FILE: indexes.filePath(index),
    },
  });
  // Files that differ make the exit code 1.
  if (outcome === 'exited') indexes.write(`${index}.settled`, '');
}

/** The tree of a commit, which a work tree that was there before knows. */
async function treeOfCommit(
  { indexes }: TreePlace,
  tree: string,
  commit: string,
  ask: () => Promise<string>,
): Promise<string> {
  const name = `${indexName(tree, commit)}.tree`;
  const known = indexes.readAll(name)?.toString() ?? '';
  if (OBJECT_ID.test(known)) return known;
  const asked = await ask();
  indexes.write(name, asked);
  return asked;
}

/** Files of the commit were changed: they will be put back, and the index has to learn of it. */
function unsettleIndex({ indexes }: TreePlace, tree: string, commit: string): void {
  indexes.remove(`${indexName(tree, commit)}.settled`);
}

/** What the tree was at other commits is of no use any more. */
function forgetOtherIndexes({ indexes }: TreePlace, tree: string, commit: string): void {
  const own = indexName(tree, commit);
  for (const name of indexes.list())
    if (name.startsWith(`${tree}.at-`) && !name.startsWith(own)) indexes.remove(name);
}
