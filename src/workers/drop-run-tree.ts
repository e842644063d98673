import { LoadoutError } from '../model/loadout-error.ts';
import { openGit } from '../platform/git/git.ts';
import { dropTree, type KeptTree, keptTrees } from './worktrees/kept-trees.ts';
import { openTreePlace } from './worktrees/tree-place.ts';

/** The work trees that runs left behind in this repository. */
export async function listKeptTrees(root: string, cacheDirectory: string): Promise<readonly KeptTree[]> {
  const opening = await openGit(root);
  return opening.kind === 'git' ? keptTrees(openTreePlace(opening.client, cacheDirectory)) : [];
}

/** Removes the work tree that a run left behind, with whatever is in it. */
export async function dropRunTree(root: string, cacheDirectory: string, run: string): Promise<KeptTree> {
  const opening = await openGit(root);
  const place = opening.kind === 'git' ? openTreePlace(opening.client, cacheDirectory) : null;
  const kept = place === null ? undefined : keptTrees(place).find((one) => one.run === run);
  if (place === null || kept === undefined)
    throw new LoadoutError('no-kept-tree', `the run ${run} has left no work tree behind`, { subject: run });
  await dropTree(place, kept.tree);
  return kept;
}
