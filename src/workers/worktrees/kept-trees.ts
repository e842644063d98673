import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { removeFolder } from '../../platform/fs/make-folder.ts';
import { openGit } from '../../platform/git/git.ts';
import { openTreePlace, type TreePlace } from './tree-place.ts';

/** A work tree that stays because something in it is nowhere else, or because the user said so. */
export interface KeptTree {
  readonly run: string;
  readonly tree: string;
  readonly path: string;
  readonly why: 'asked' | 'dirty' | 'unmerged' | 'cancelled' | 'damaged' | 'too-large';
}

/** The work trees that runs left behind in this repository. */
export async function listKeptTrees(root: string, cacheDirectory: string): Promise<readonly KeptTree[]> {
  const opening = await openGit(root);
  return opening.kind === 'git' ? keptTrees(openTreePlace(opening.client, cacheDirectory)) : [];
}

/** Removes the work tree that a run left behind, and everything in it. Called only because the user asks for it. */
export async function dropRunTree(root: string, cacheDirectory: string, run: string): Promise<KeptTree> {
  const opening = await openGit(root);
  const place = opening.kind === 'git' ? openTreePlace(opening.client, cacheDirectory) : null;
  const kept = place === null ? undefined : keptTrees(place).find((one) => one.run === run);
  if (place === null || kept === undefined)
    throw new LoadoutError('no-kept-tree', `the run ${run} has left no work tree behind`, { subject: run });
  await place.alone(async () => {
    discardTree(place, kept.tree);
    place.kept.remove(`${kept.tree}.json`);
  });
  return kept;
}

/** Notes that a work tree stays. */
export function keepTree(place: TreePlace, run: string, tree: string, why: KeptTree['why']): KeptTree {
  const kept = { run, tree, path: `${place.trees}/${tree}`, why };
  place.kept.write(`${tree}.json`, JSON.stringify(kept));
  return kept;
}

/** All work trees that stay. A note that cannot be read still keeps its tree. */
export function keptTrees(place: TreePlace): readonly KeptTree[] {
  return place.kept
    .list()
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => {
      const tree = name.slice(0, -5);
      return (
        parse(place.kept.readAll(name)) ?? { run: '', tree, path: `${place.trees}/${tree}`, why: 'damaged' }
      );
    });
}

/** Removes a work tree and its index. */
export function discardTree(place: TreePlace, tree: string): void {
  removeFolder(`${place.trees}/${tree}`);
  removeFolder(`${place.aside}/${tree}`);
  for (const name of place.indexes.list())
    if (name === tree || name.startsWith(`${tree}.`)) place.indexes.remove(name);
}

/** Null for a note that is damaged. */
function parse(bytes: Buffer | null): KeptTree | null {
  const kept = jsonOrNull(bytes?.toString('utf8') ?? '') as Partial<KeptTree> | null;
  return typeof kept?.tree === 'string' && typeof kept.path === 'string' ? (kept as KeptTree) : null;
}
