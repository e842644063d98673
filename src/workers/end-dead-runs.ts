import { wallClockMs } from '../platform/clock.ts';
import { openGit } from '../platform/git/git.ts';
import { finishCrashed } from './finish-crashed.ts';
import { readLeases } from './worktrees/lease.ts';
import { reapTrees } from './worktrees/reap-trees.ts';
import { openTreePlace } from './worktrees/tree-place.ts';

/** Cleans up behind runs that were killed and writes their ends; resolves to the runs that are still going on. */
export async function endDeadRuns(root: string, cacheDirectory: string): Promise<ReadonlySet<string>> {
  const opening = await openGit(root);
  if (opening.kind !== 'git') return new Set();
  const place = openTreePlace(opening.client, cacheDirectory);
  await reapTrees(place, (reaped) => finishCrashed(reaped, wallClockMs));
  return new Set(readLeases(place.leases).flatMap((lease) => (lease.phase === 'damaged' ? [] : [lease.run])));
}
