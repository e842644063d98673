import { gitOutput } from '../../platform/git-failure.ts';
import { type GitRunTree, openGitRunTree } from '../../platform/git-run-tree.ts';
import { type GitWriter, needGit, objectId, openGitWriter } from '../../platform/git-writer.ts';
import { RUN_VARIABLE } from '../../platform/marked-processes.ts';
import { RUN_ID } from '../log/run-folder.ts';
import { discardTree, type KeptTree, keepTree, keptTrees } from './kept-trees.ts';
import { type Lease, newLease, readLeases, removeLease, writeLease } from './lease.ts';
import { forgetOtherIndexes, settleIndex, treeOfCommit, unsettleIndex } from './settle-index.ts';
import type { TreePlace } from './tree-place.ts';

/** A work tree that belongs to one run until it is given back. */
export interface RunTree extends GitRunTree {
  readonly commit: string;
  /** What the worker starts from, to compare snapshots with: the tree of the commit, or what is staged on top of it. */
  readonly baseTree: string;
  /** Names what the worker starts from, history included. */
  readonly state: string;
  /** Makes the tree what it was when it was taken. */
  startOver(): Promise<void>;
  /** To be called while nobody waits: makes the next look at the tree, and the next run, quicker. */
  settleIndex(): void;
  /** From now on the tree is of no use: its content is in the record. New files alone are no changes. */
  settle(hasChanges?: boolean): void;
  /** Leaves the tree where it is, and says so. */
  keep(why: KeptTree['why']): Promise<KeptTree>;
  /** Makes room: the tree waits for the next run, or goes. */
  giveBack(): Promise<void>;
}

/**
 * Trees that wait for the next run. To check out a large repository takes longer than everything else that a run
 * does by itself; to bring a tree back to a commit takes a tenth of that.
 */
const MOST_IDLE_TREES = 2;

/**
 * Finds an idle tree or makes one, and brings it to the commit. No two runs ever get the same. What `findStaged` finds
 * on top of the commit is staged in the tree as well.
 */
export async function takeTree(
  place: TreePlace,
  run: string,
  commit: string,
  findStaged: () => Promise<string | null> = async () => null,
): Promise<RunTree> {
  const writer = openGitWriter(place.root, { [RUN_VARIABLE]: run });
  let lease = await place.alone(async () => {
    const claimed = newLease({ run, tree: idleTrees(place)[0] ?? run, commit, root: place.root });
    writeLease(place.leases, claimed);
    return claimed;
  });
  const change = (phase: Lease['phase']): void => {
    lease = { ...lease, phase };
    writeLease(place.leases, lease);
  };
  const { tree: name } = lease;
  try {
    if (!openTree(place, name, run).isSound())
      await place.alone(async () => {
        await discardTree(place, name);
        await forgetLostTrees(place, writer);
        await writer.addWorkTree(`${place.trees}/${name}`, commit);
      });
    const tree = openTree(place, name, run);
    forgetOtherIndexes(place, name, commit);
    const startOver = async (): Promise<void> => {
      await tree.reset(commit);
      const stagedTree = await findStaged();
      if (stagedTree !== null) await stage(place, name, run, stagedTree);
    };
    const starting = startOver();
    starting.catch(() => {});
    const [commitTree, stagedTree] = await Promise.all([
      treeOfCommit(place, name, commit, () => writer.treeOf(commit)),
      findStaged(),
    ]);
    const baseTree = stagedTree ?? commitTree;
    const state = `${commit} ${baseTree}`;
    await starting;
    if (stagedTree !== null) lease = { ...lease, stagedTree };
    change('running');
    let isOurs = true;
    let settling: Promise<void> | null = null;
    return {
      ...tree,
      commit,
      baseTree,
      state,
      startOver,
      settleIndex: () => {
        settling ??= settleIndex(place, name, commit, run).catch(() => {});
      },
      settle: (hasChanges = true) => {
        if (hasChanges) unsettleIndex(place, name, commit);
        change('settled');
      },
      keep: async (why) => {
        await settling;
        const kept = keepTree(place, run, name, why);
        removeLease(place.leases, name);
        isOurs = false;
        return kept;
      },
      giveBack: async () => {
        if (!isOurs) return;
        isOurs = false;
        await settling;
        await place.alone(async () => {
          if (idleTrees(place).length >= MOST_IDLE_TREES) await discardTree(place, name);
          removeLease(place.leases, name);
        });
      },
    };
  } catch (error) {
    await place.alone(async () => {
      await discardTree(place, name).catch(() => {});
      removeLease(place.leases, name);
    });
    throw error;
  }
}

/** In the index that the agent sees, so that `git diff --cached` shows it what the user would see, then in ours. */
async function stage(place: TreePlace, name: string, run: string, stagedTree: string): Promise<void> {
  const path = `${place.trees}/${name}`;
  const env = {
    [RUN_VARIABLE]: run,
    GIT_DIR: `${place.commonDirectory}/worktrees/${name}`,
    GIT_WORK_TREE: path,
  };
  const args = ['read-tree', '--reset', '-u', objectId(stagedTree)];
  gitOutput('read-tree', await needGit(path)(args, { env }));
  await openTree(place, name, run).restore(stagedTree);
}

/** Somebody cleared the cache directory: git still believes in trees that nobody has any more. */
async function forgetLostTrees(place: TreePlace, writer: GitWriter): Promise<void> {
  const known = await writer.workTreesIn(place.trees);
  const ours = new Set([...readLeases(place.leases), ...keptTrees(place)].map(({ tree }) => tree));
  for (const name of place.indexes.list()) ours.add(name);
  const lost = known.map((path) => path.slice(place.trees.length + 1)).filter((name) => !ours.has(name));
  for (const name of lost) await discardTree(place, name);
}

/** The git side of a tree: git names its own folder after the last part of the path. */
export function openTree(place: TreePlace, name: string, run: string): GitRunTree {
  return openGitRunTree(
    `${place.trees}/${name}`,
    `${place.commonDirectory}/worktrees/${name}`,
    place.indexes.filePath(name),
    { [RUN_VARIABLE]: run },
  );
}

/** Trees that nobody uses and nobody wants to keep. */
export function idleTrees(place: TreePlace): readonly string[] {
  const taken = new Set([...readLeases(place.leases), ...keptTrees(place)].map(({ tree }) => tree));
  return place.indexes.list().filter((name) => RUN_ID.test(name) && !taken.has(name));
}
