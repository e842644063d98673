import { wallClockMs } from '../../platform/clock.ts';
import { needGit } from '../../platform/git/git-writer.ts';
import { RUN_VARIABLE } from '../../platform/process/marked-processes.ts';
import type { TreePlace } from './tree-place.ts';

/** git tells times in seconds: what is older than this was written in an earlier one. */
const OLD_ENOUGH_MS = 1_100;

const OBJECT_ID = /^[0-9a-f]{40,64}$/;

const indexName = (tree: string, commit: string): string => `${tree}.at-${commit}`;

/**
 * git compares a file by its content as long as its index is of the same second, and after a checkout that is every
 * file; one that was put back is written again for every run. An index that is written again later knows better, and
 * what a run asks it takes a third of the time. Only files that are as in the commit are taken for clean, so that an
 * agent may work in the tree meanwhile.
 */
export async function settleIndex(
  place: TreePlace,
  tree: string,
  commit: string,
  run: string,
): Promise<void> {
  const { indexes } = place;
  const index = indexName(tree, commit);
  const changedAt = indexes.changedAt(index);
  if (changedAt === null || wallClockMs() - changedAt < OLD_ENOUGH_MS) return;
  if (indexes.changedAt(`${index}.settled`) !== null) return;
  // Whoever was killed here left it behind.
  indexes.remove(`${index}.lock`);
  const path = `${place.trees}/${tree}`;
  const { outcome } = await needGit(path)(['update-index', '-q', '--refresh', '--force-write-index'], {
    env: {
      [RUN_VARIABLE]: run,
      GIT_DIR: place.repository.gitDirectory,
      GIT_WORK_TREE: path,
      GIT_INDEX_FILE: indexes.filePath(index),
    },
  });
  // Files that differ make the exit code 1.
  if (outcome === 'exited') indexes.write(`${index}.settled`, '');
}

/** The tree of a commit, which a work tree that was there before knows. */
export async function treeOfCommit(
  { indexes }: TreePlace,
  tree: string,
  commit: string,
  ask: () => Promise<string>,
): Promise<string> {
  const name = `${indexName(tree, commit)}.tree`;
  const known = indexes.readAll(name)?.toString() ?? '';
  if (OBJECT_ID.test(known)) return known;
  const asked = await ask();
  indexes.write(name, asked);
  return asked;
}

/** Files of the commit were changed: they will be put back, and the index has to learn of it. */
export function unsettleIndex({ indexes }: TreePlace, tree: string, commit: string): void {
  indexes.remove(`${indexName(tree, commit)}.settled`);
}

/** What the tree was at other commits is of no use any more. */
export function forgetOtherIndexes({ indexes }: TreePlace, tree: string, commit: string): void {
  const own = indexName(tree, commit);
  for (const name of indexes.list())
    if (name.startsWith(`${tree}.at-`) && !name.startsWith(own)) indexes.remove(name);
}
