import type { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { removeFolder } from '../../platform/fs/make-folder.ts';
import { openGitWriter } from '../../platform/git/git-writer.ts';
import { endProcessesOfRun } from '../../platform/process/marked-processes.ts';
import { mayBeAlive } from '../../platform/process/process-identity.ts';
import { discardTree, type KeptTree, keepTree, keptTrees } from './kept-trees.ts';
import { type Lease, readLeases, removeLease } from './lease.ts';
import { openTree } from './run-tree.ts';
import type { TreePlace } from './tree-place.ts';

const OLD_MS = 60_000;

/** A run whose process died, and what became of its work tree. */
export interface ReapedRun {
  readonly run: string;
  /** The user's work tree, where its record lies. */
  readonly root: string;
  /** Null when there was nothing in the tree that could be lost. */
  readonly kept: KeptTree | null;
}

/**
 * Cleans up behind runs that were killed: their processes end, their trees go unless something in them is nowhere
 * else, `finish` writes their end, and only then their leases go: whoever is killed here is finished by the next run.
 * Called before every run.
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

/** A process that is killed while it writes a file leaves a part of it under another name. */
function sweepHalfWritten(folder: CacheFolder): void {
  for (const name of folder.list())
    if (/\.tmp(?:\.lock)?$/.test(name) && wallClockMs() - (folder.changedAt(name) ?? 0) > OLD_MS)
      folder.remove(name);
}

function isDead(lease: ReturnType<typeof readLeases>[number]): boolean {
  return lease.phase === 'damaged' || !mayBeAlive(lease.owner);
}

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

async function worthKeeping(place: TreePlace, lease: Lease): Promise<KeptTree['why'] | null> {
  try {
    const tree = openTree(place, lease.tree, lease.run);
    if ((await tree.head()) !== lease.commit) return 'unmerged';
    const base = lease.stagedTree ?? (await openGitWriter(place.root).treeOf(lease.commit));
    const { tree: now, nestedRepositories } = await tree.snapshot();
    return now === base && nestedRepositories.length === 0 ? null : 'dirty';
  } catch {
    // Whoever cannot be asked may have something to lose.
    return 'damaged';
  }
}
