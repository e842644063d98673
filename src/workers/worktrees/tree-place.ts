// The folders of a repository's work trees in the user's cache directory: leases, indexes, and notes about trees that
// are kept. All changes happen under one lock.

import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { jsonOrNull } from '../../model/read-json.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { withLock } from '../../platform/fs/file-lock.ts';
import { makeFolder, removeFolder } from '../../platform/fs/make-folder.ts';
import { isInsideRoot } from '../../platform/fs/path-codec.ts';
import { type GitClient, openGit } from '../../platform/git/git.ts';
import type { GitPlaces } from '../../platform/git/own-git-directory.ts';
import { ownIdentity, type ProcessIdentity } from '../../platform/process/process-identity.ts';

/** The folders for the work trees of one repository: in the user's cache directory, never inside the repository. */
export interface TreePlace {
  /** The user's work tree. */
  readonly root: string;
  readonly repository: GitPlaces;
  /** One folder for each work tree. */
  readonly trees: string;
  /** For files that are moved out of a work tree while its gates run. */
  readonly aside: string;
  /** One file for each tree in use: the run, the commit and the process that owns it. */
  readonly leases: CacheFolder;
  /** One note for each tree that must not be removed. */
  readonly kept: CacheFolder;
  /** The git index of each tree. It is outside of the tree. */
  readonly indexes: CacheFolder;
  /** For temporary files of runs. Outside the repository, because git and other tools search for it upwards. */
  readonly temporary: string;
  /** Runs `work` while no other process adds or removes work trees of this repository. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** How long a run waits for others that set up a work tree. */
const MAX_WAIT_MS = 120_000;

/** Opens the folders for the repository's work trees, and makes them if they are missing. */
export function openTreePlace(git: GitClient, cacheDirectory: string): TreePlace {
  const name = git.commonDirectory.split('/').filter((part) => part !== '' && part !== '.git');
  const readable = (name.at(-1) ?? 'root').replace(/[^\w.-]+/g, '-').slice(0, 40);
  const key = createHash('sha256').update(git.commonDirectory).digest('hex').slice(0, 16);
  refuseInside(git.workTree, resolve(cacheDirectory));
  const base = makeFolder(join(cacheDirectory, 'runs', `${readable}-${key}`));
  // Once more for the real path, because a link may lead into the repository.
  refuseInside(git.workTree, base);
  return {
    root: git.workTree,
    repository: { gitDirectory: git.gitDirectory, commonDirectory: git.commonDirectory },
    trees: makeFolder(join(base, 'trees')),
    aside: join(base, 'aside'),
    leases: new CacheFolder(join(base, 'leases')),
    kept: new CacheFolder(join(base, 'kept')),
    indexes: new CacheFolder(join(base, 'indexes')),
    // Not below `base`: the path of a socket may have about a hundred characters.
    temporary: makeFolder(join(cacheDirectory, 'tmp')),
    alone: (work) => waitFor(join(base, 'lock'), work),
  };
}

/** Refuses a cache directory inside the repository: its trees would be part of the repository. */
function refuseInside(workTree: string, path: string): void {
  if (!isInsideRoot(workTree, path)) return;
  throw new LoadoutError('cache-in-repository', `the cache directory ${path} is inside the repository`, {
    subject: path,
    hint: 'set LOADOUT_CACHE_DIR to a folder outside: work trees are not nested',
  });
}

/** Holds the lock while `work` runs, and explains a lock that is never released. */
async function waitFor<T>(lock: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withLock(lock, MAX_WAIT_MS, work);
  } catch (error) {
    if (!(error instanceof LoadoutError) || error.code !== 'index-locked') throw error;
    throw new LoadoutError('runs-locked', 'another process has been setting up a work tree for two minutes', {
      subject: lock,
      hint: `if you are sure that it is gone, delete ${lock}`,
      cause: error,
    });
  }
}

/** Says which run uses a work tree. No other run touches the tree as long as its lease is there. */
export interface Lease {
  readonly run: string;
  /** The name of the work tree. */
  readonly tree: string;
  /**
   * `preparing`: no agent has been in the tree yet. `running`: the tree may hold the only copy of the work. `finished`:
   * the patch is saved, and the tree may go.
   */
  readonly phase: 'preparing' | 'running' | 'finished';
  readonly owner: ProcessIdentity;
  readonly commit: string;
  /** The tree that the worker started from, when it is not that of the commit. */
  readonly stagedTree?: string;
  /** The user's work tree, which has the record of the run. */
  readonly root: string;
}

/** A lease that this process owns. */
export function newLease(values: Omit<Lease, 'owner' | 'phase'>): Lease {
  return { ...values, phase: 'preparing', owner: ownIdentity() };
}

/** Writes a lease, new or with another phase. */
export function writeLease(leases: CacheFolder, lease: Lease): void {
  leases.write(`${lease.tree}.json`, JSON.stringify(lease));
}

/** Releases the tree for other runs. */
export function removeLease(leases: CacheFolder, tree: string): void {
  leases.remove(`${tree}.json`);
}

/** All leases. A damaged one only names its tree, which is kept. */
export function readLeases(
  leases: CacheFolder,
): readonly (Lease | { readonly tree: string; phase: 'damaged' })[] {
  return leases
    .list()
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => parseLease(leases.readAll(name)) ?? { tree: name.slice(0, -5), phase: 'damaged' });
}

function parseLease(bytes: Buffer | null): Lease | null {
  const lease = jsonOrNull(bytes?.toString('utf8') ?? '') as Partial<Lease> | null;
  const texts = [lease?.run, lease?.tree, lease?.phase, lease?.commit, lease?.root];
  const isWhole = texts.every((text) => typeof text === 'string') && Number.isInteger(lease?.owner?.pid);
  return isWhole ? (lease as Lease) : null;
}

/** A work tree that stays, because something in it exists nowhere else or because the user asked for it. */
export interface KeptTree {
  readonly run: string;
  readonly tree: string;
  readonly path: string;
  /** `unmerged`: it has commits of its own. `damaged`: git cannot read it. */
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
