import { folderIsGone } from '../../platform/folder-is-gone.ts';
import { openGitWriter } from '../../platform/git-writer.ts';
import { removeFolder } from '../../platform/remove-folder.ts';
import { RUN_ID } from '../log/run-folder.ts';
import type { TreePlace } from './tree-place.ts';

/** A work tree that stays because something in it is nowhere else, or because the user said so. */
export interface KeptTree {
  readonly run: string;
  readonly tree: string;
  readonly path: string;
  readonly why: 'asked' | 'dirty' | 'unmerged' | 'cancelled' | 'damaged';
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
    await discardTree(place, tree);
    place.kept.remove(`${tree}.json`);
  });
}

/** Removes a work tree, what git knows of it and our index of it. */
export async function discardTree(place: TreePlace, tree: string): Promise<void> {
  const path = `${place.trees}/${tree}`;
  removeFolder(path);
  // git calls its own folder for a work tree by the last part of the path.
  const known = `${place.commonDirectory}/worktrees/${tree}`;
  if (!folderIsGone(known)) {
    // A git that was killed while it made the folder leaves one that no git understands.
    await openGitWriter(place.root)
      .removeWorkTree(path)
      .catch(() => RUN_ID.test(tree) && removeFolder(known));
  }
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
