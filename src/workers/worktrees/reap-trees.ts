import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { removeFolder } from '../../platform/fs/make-folder.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { openGit } from '../../platform/git/git.ts';
import { openGitWriter } from '../../platform/git/git-writer.ts';
import { endProcessesOfRun } from '../../platform/process/contained-process.ts';
import { mayBeAlive } from '../../platform/process/process-identity.ts';
import { makeRunFolder, openEventLog, RUNS_FOLDER } from '../log/event-log.ts';
import { discardTree, type KeptTree, keepTree, keptTrees } from './kept-trees.ts';
import { openTree } from './run-tree.ts';
import { type Lease, openTreePlace, readLeases, removeLease, type TreePlace } from './tree-place.ts';

/** A temporary file of this age is not being written any more. */
const OLD_MS = 60_000;

/** A run whose process died, and what became of its work tree. */
export interface ReapedRun {
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
