// Work trees of runs: claiming one, giving it back, and cleaning up after runs that were killed. A lease on disk says
// which process owns a tree, so that a crash loses nothing.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { removeFolder } from '../../platform/fs/make-folder.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { openGit } from '../../platform/git/git.ts';
import { type GitRunTree, openGitRunTree } from '../../platform/git/git-run-tree.ts';
import { needGit, openGitWriter } from '../../platform/git/git-writer.ts';
import { differencesIn, readRepositoryState, readUserState } from '../../platform/git/own-git-directory.ts';
import { endProcessesOfRun, RUN_VARIABLE } from '../../platform/process/contained-process.ts';
import { mayBeAlive } from '../../platform/process/process-identity.ts';
import { makeRunFolder, openEventLog, RUN_ID, RUNS_FOLDER } from '../run-log.ts';
import {
  discardTree,
  type KeptTree,
  keepTree,
  keptTrees,
  type Lease,
  newLease,
  openTreePlace,
  readLeases,
  removeLease,
  type TreePlace,
  writeLease,
} from './tree-place.ts';

/** A work tree that belongs to one run until it is given back. */
export interface RunTree extends Omit<GitRunTree, 'reset'> {
  /** The commit that the tree was checked out at. */
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
  // `giveBack` may be called twice: when the run ends, and when an error unwinds it.
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
      // A kept tree stays. A ready one may wait for the next run. All others are removed.
      const isUseful = isReady && idleTrees(place).length < MAX_IDLE_TREES;
      if (!isKept && !isUseful) discardTree(place, name);
      removeLease(place.leases, name);
    });
  };
  const prepare: ClaimedTree['prepare'] = async (stagedTree = null) => {
    const git = needGit(place.root);
    const mark = { [RUN_VARIABLE]: run };
    // Bring the tree to the commit, and remember the state of the user's repository for `changesOutside`.
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
function openTree(place: TreePlace, name: string, run: string): GitRunTree {
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

/** In milliseconds. An older temporary file was left by a process that died. */
const OLD_MS = 60_000;

/** A run whose process died, and what became of its work tree. */
export interface ReapedRun {
  /** The id of the dead run. */
  readonly run: string;
  /** The user's work tree, which has its record. */
  readonly root: string;
  /** Null when the tree held nothing that could be lost. */
  readonly kept: KeptTree | null;
}

/**
 * Cleans up after runs that were killed. Called before every run. Their processes are ended, their trees are removed unless
 * something in them is nowhere else, and `finish` writes their end. Their leases go last, so that the next run can finish
 * this when this process is killed, too.
 */
export function reapTrees<Told>(
  place: TreePlace,
  finish: (run: ReapedRun) => Told,
): Promise<readonly Told[]> {
  for (const folder of [place.leases, place.kept, place.indexes]) sweepHalfWritten(folder);
  if (!readLeases(place.leases).some(isDead)) return Promise.resolve([]);
  return place.alone(async () => {
    const told: Told[] = [];
    for (const lease of readLeases(place.leases)) {
      if (!isDead(lease)) continue;
      const kept =
        lease.phase === 'damaged' ? keepTree(place, '', lease.tree, 'damaged') : await clear(place, lease);
      if (lease.phase !== 'damaged') told.push(finish({ run: lease.run, root: lease.root, kept }));
      removeLease(place.leases, lease.tree);
    }
    return told;
  });
}

/** Removes files that a killed process has half written, under temporary names. */
function sweepHalfWritten(folder: CacheFolder): void {
  for (const name of folder.list())
    if (/\.tmp(?:\.lock)?$/.test(name) && wallClockMs() - (folder.changedAt(name) ?? 0) > OLD_MS)
      folder.remove(name);
}

/** Whether the process that owns the lease has ended. */
function isDead(lease: ReturnType<typeof readLeases>[number]): boolean {
  return lease.phase === 'damaged' || !mayBeAlive(lease.owner);
}

/** Ends the processes of a dead run, and keeps or removes its tree. */
async function clear(place: TreePlace, lease: Lease): Promise<KeptTree | null> {
  endProcessesOfRun(lease.run, `${place.trees}/${lease.tree}`);
  removeFolder(`${place.temporary}/${lease.run}`);
  const already = keptTrees(place).find(({ tree }) => tree === lease.tree);
  if (already !== undefined) return already;
  const why = lease.phase === 'running' ? await worthKeeping(place, lease) : null;
  if (why !== null) return keepTree(place, lease.run, lease.tree, why);
  discardTree(place, lease.tree);
  return null;
}

/** Why the tree of a dead run must stay; null when it may go. */
async function worthKeeping(place: TreePlace, lease: Lease): Promise<KeptTree['why'] | null> {
  try {
    const tree = openTree(place, lease.tree, lease.run);
    if ((await tree.head()) !== lease.commit) return 'unmerged';
    const base = lease.stagedTree ?? (await openGitWriter(place.root).treeOf(lease.commit));
    const { tree: now, nestedRepositories } = await tree.snapshot();
    return now === base && nestedRepositories.length === 0 ? null : 'dirty';
  } catch {
    // A tree that git cannot read may hold the only copy of something.
    return 'damaged';
  }
}

/** Writes the end that a killed run could not write itself. Warns if its work tree is kept. */
export function finishCrashed({ run, root, kept }: ReapedRun, now: () => number): readonly Diagnostic[] {
  const message = 'the process of the run was killed';
  try {
    const safeRoot = openSafeRoot(root);
    if (safeRoot.stat(`${RUNS_FOLDER}/${run}`)?.type === 'directory') {
      const log = openEventLog(makeRunFolder(safeRoot, run), run, now);
      const attempt = log.openAttempt();
      const end = { outcome: 'crashed', reason: 'runner-died', message } as const;
      if (attempt !== null) log.append({ type: 'attempt-end', attempt, ...end });
      if (kept !== null) log.append({ type: 'tree-kept', path: kept.path, why: kept.why });
      log.append({ type: 'run-end', ...end, branch: null, applied: false });
      log.close();
    }
  } catch (error) {
    // The user may have removed the repository's folder since then.
    if (!(error instanceof LoadoutError)) throw error;
  }
  if (kept === null) return [];
  const told = `the run ${run} was killed; its work is in ${kept.path} ("loadout runs drop ${run}" removes it)`;
  return [{ code: 'tree-kept', severity: 'warning', message: told }];
}

/** Cleans up after runs that were killed. Returns the ids of the runs that are still going on. */
export async function endDeadRuns(root: string, cacheDirectory: string): Promise<ReadonlySet<string>> {
  const opening = await openGit(root);
  if (opening.kind !== 'git') return new Set();
  const place = openTreePlace(opening.client, cacheDirectory);
  await reapTrees(place, (reaped) => finishCrashed(reaped, wallClockMs));
  return new Set(readLeases(place.leases).flatMap((lease) => (lease.phase === 'damaged' ? [] : [lease.run])));
}
