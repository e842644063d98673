import { removeFolder } from '../../platform/fs/make-folder.ts';
import type { TreePlace } from './tree-place.ts';

/** A work tree that stays because something in it is nowhere else, or because the user said so. */
export interface KeptTree {
  readonly run: string;
  readonly tree: string;
  readonly path: string;
  readonly why: 'asked' | 'dirty' | 'unmerged' | 'cancelled' | 'damaged' | 'too-large';
}

export function keepTree(place: TreePlace, run: string, tree: string, why: KeptTree['why']): KeptTree {
  const kept = { run, tree, path: `${place.trees}/${tree}`, why };
  place.kept.write(`${tree}.json`, JSON.stringify(kept));
  return kept;
}

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

/** Only ever called because the user asked for it. */
export async function dropTree(place: TreePlace, tree: string): Promise<void> {
  await place.alone(async () => {
    discardTree(place, tree);
    place.kept.remove(`${tree}.json`);
  });
}

/** Removes a work tree and our index of it. */
export function discardTree(place: TreePlace, tree: string): void {
  removeFolder(`${place.trees}/${tree}`);
  removeFolder(`${place.aside}/${tree}`);
  for (const name of place.indexes.list())
    if (name === tree || name.startsWith(`${tree}.`)) place.indexes.remove(name);
}

function parse(bytes: Buffer | null): KeptTree | null {
  try {
    const kept: Partial<KeptTree> | null = JSON.parse(bytes?.toString('utf8') ?? '');
    return typeof kept?.tree === 'string' && typeof kept.path === 'string' ? (kept as KeptTree) : null;
  } catch {
    return null;
  }
}
