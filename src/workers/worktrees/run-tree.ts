import { type GitRunTree, openGitRunTree } from '../../platform/git/git-run-tree.ts';
import { needGit, openGitWriter } from '../../platform/git/git-writer.ts';
import { differencesIn, readRepositoryState, readUserState } from '../../platform/git/own-git-directory.ts';
import { RUN_VARIABLE } from '../../platform/process/contained-process.ts';
import { RUN_ID } from '../log/event-log.ts';
import { discardTree, type KeptTree, keepTree, keptTrees } from './kept-trees.ts';
import { type Lease, newLease, readLeases, removeLease, type TreePlace, writeLease } from './tree-place.ts';

/** A work tree that belongs to one run until it is given back. */
export interface RunTree extends Omit<GitRunTree, 'reset'> {
  readonly commit: string;
  /** The tree that the worker starts from: that of the commit, or one with staged changes. Snapshots are compared with it. */
  readonly baseTree: string;
  /** Brings the files back to how they were at the start. */
  startOver(): Promise<void>;
  /** Says that the content of the tree is saved in the record, so that it may be discarded. */
  finish(): void;
  /** Branches, settings, hooks and the like of the user's repository that changed since the tree was taken. */
  changesOutside(): Promise<readonly string[]>;
  /** Makes the tree stay where it is when it is given back. */
  keep(why: KeptTree['why']): Promise<KeptTree>;
  /** To be called when the end of the run is written: the tree stays, waits for the next run, or is removed. */
  giveBack(): Promise<void>;
}

/** A work tree that no other run can take any more. It is not prepared yet. */
export interface ClaimedTree {
  /** Brings it to the commit. A tree that is staged on top of the commit is staged here as well. */
  prepare(stagedTree?: string | null): Promise<RunTree>;
  /** As `RunTree.giveBack`, whether it was prepared or not. */
  giveBack(): Promise<void>;
}

/**
 * Trees that wait for the next run. Checking out a large repository takes longer than everything else that a run does by
 * itself; bringing a tree back to a commit takes a tenth of that.
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
 * Claims an idle tree, or the name of a new one. No two runs ever get the same. If this process is killed, the next run
 * finds the claim and writes the end of this run.
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
  const change = (phase: Lease['phase']): void => {
    lease = { ...lease, phase };
    writeLease(place.leases, lease);
  };
  const giveBack = async (): Promise<void> => {
    if (!isOurs) return;
    isOurs = false;
    await place.alone(async () => {
      const isUseful = isReady && idleTrees(place).length < MAX_IDLE_TREES;
      if (!isKept && !isUseful) discardTree(place, name);
      removeLease(place.leases, name);
    });
  };
  const prepare: ClaimedTree['prepare'] = async (stagedTree = null) => {
    const git = needGit(place.root);
    const mark = { [RUN_VARIABLE]: run };
    const tree = openTree(place, name, run);
    forgetOtherIndexes(place, name, commit);
    const baseTree = stagedTree ?? (await openGitWriter(place.root, mark).treeOf(commit));
    const repository = await readRepositoryState(git, place.repository, mark);
    const startOver = () => tree.reset(commit, Promise.resolve(repository), Promise.resolve(stagedTree));
    await startOver().catch(() => {
      // Files of an earlier run may not fit any more: there can be another repository at the same path by now.
      discardTree(place, name);
      return startOver();
    });
    if (stagedTree !== null) lease = { ...lease, stagedTree };
    change('running');
    isReady = true;
    return {
      ...tree,
      commit,
      baseTree,
      startOver,
      finish: () => change('finished'),
      changesOutside: async () => differencesIn(repository, await readUserState(git, place.repository, mark)),
      keep: async (why) => {
        tree.bringBack();
        isKept = true;
        return keepTree(place, run, name, why);
      },
      giveBack,
    };
  };
  return { prepare, giveBack };
}

/** Opens the tree with its index, which is outside of it. */
export function openTree(place: TreePlace, name: string, run: string): GitRunTree {
  const path = `${place.trees}/${name}`;
  const [indexFile, asideFolder] = [place.indexes.filePath(name), `${place.aside}/${name}`];
  return openGitRunTree(
    { path, repository: place.repository, indexFile, asideFolder },
    { [RUN_VARIABLE]: run },
  );
}

/** Trees that are neither in use nor kept. */
function idleTrees(place: TreePlace): readonly string[] {
  const taken = new Set([...readLeases(place.leases), ...keptTrees(place)].map(({ tree }) => tree));
  return place.indexes.list().filter((name) => RUN_ID.test(name) && !taken.has(name));
}

/** The name of the index of a tree as it was checked out at a commit. */
const indexName = (tree: string, commit: string): string => `${tree}.at-${commit}`;

/** Removes the indexes of other commits. */
function forgetOtherIndexes({ indexes }: TreePlace, tree: string, commit: string): void {
  const own = indexName(tree, commit);
  for (const name of indexes.list())
    if (name.startsWith(`${tree}.at-`) && !name.startsWith(own)) indexes.remove(name);
}
