import { type GitRunTree, openGitRunTree } from '../../platform/git/git-run-tree.ts';
import { needGit, openGitWriter } from '../../platform/git/git-writer.ts';
import { differencesIn, readRepositoryState, readUserState } from '../../platform/git/own-git-directory.ts';
import { RUN_VARIABLE } from '../../platform/process/marked-processes.ts';
import { RUN_ID } from '../log/event-log.ts';
import { discardTree, type KeptTree, keepTree, keptTrees } from './kept-trees.ts';
import { type Lease, newLease, readLeases, removeLease, type TreePlace, writeLease } from './tree-place.ts';

/** A work tree that belongs to one run until it is given back. */
export interface RunTree extends Omit<GitRunTree, 'reset'> {
  readonly commit: string;
  /** What the worker starts from, to compare snapshots with: the tree of the commit, or what is staged on top of it. */
  readonly baseTree: string;
  /** Makes the tree what it was when it was taken. */
  startOver(): Promise<void>;
  /** From now on the tree is of no use: its content is in the record. */
  finish(): void;
  /** Branches, settings, hooks and the like of the user's repository that changed since the tree was taken. */
  changesOutside(): Promise<readonly string[]>;
  /** Has the tree stay where it is when it is given back, and says where. */
  keep(why: KeptTree['why']): Promise<KeptTree>;
  /** The run has ended, and its end is written: the tree stays, waits for the next run, or goes. */
  giveBack(): Promise<void>;
}

/** A work tree that no other run can take any more. Nothing has been done to it yet. */
export interface ClaimedTree {
  /** Brings it to the commit. A tree that is staged on top of the commit is staged here as well. */
  prepare(stagedTree?: string | null): Promise<RunTree>;
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
      // What an earlier run left may not fit any more: another repository can stand at the same path by now.
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

const indexName = (tree: string, commit: string): string => `${tree}.at-${commit}`;

/** What the tree was at other commits is of no use any more. */
function forgetOtherIndexes({ indexes }: TreePlace, tree: string, commit: string): void {
  const own = indexName(tree, commit);
  for (const name of indexes.list())
    if (name.startsWith(`${tree}.at-`) && !name.startsWith(own)) indexes.remove(name);
}
