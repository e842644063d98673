// The work tree of an agent: how it is filled, compared and restored.

import { copyFileSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { removeFolder } from '../fs/make-folder.ts';
import { encodePath, encodePathBytes } from '../fs/path-codec.ts';
import { type GitCallOptions, gitOutput, splitNul } from './git-runner.ts';
import { needGit, objectId, WORKER_IDENTITY } from './git-writer.ts';
import { type GitPlaces, type RepositoryState, writeOwnGitDirectory } from './own-git-directory.ts';

/**
 * A work tree in which an agent works. Its `.git` is a git directory of its own, for the agent. Loadout uses
 * a separate index and the user's git directory, unknown to the agent's git, to find out what the agent changed.
 */
export interface GitRunTree {
  readonly path: string;
  /** Writes the files of a commit, or of a tree on top of it, whatever was in the work tree, with a new `.git`. */
  reset(
    commit: string,
    repository: Promise<RepositoryState>,
    stagedTree?: Promise<string | null>,
  ): Promise<void>;
  /** The id of the tree that the files make now, without ignored ones. Files are not touched. */
  snapshot(): Promise<TreeSnapshot>;
  /** Takes back what changed since a snapshot; ignored files stay. */
  restore(tree: string): Promise<void>;
  /** Moves away the files that no snapshot holds: ignored files, and repositories inside. Returns their names. */
  setAside(): Promise<readonly string[]>;
  /** Moves them back, except where there is something else by now. */
  bringBack(): void;
  /** The commit that is checked out; another than at the start means that the agent has committed. */
  head(): Promise<string>;
}

/** The files of a work tree at one moment. */
export interface TreeSnapshot {
  readonly tree: string;
  /** Repositories that the agent made inside the tree: no tree can hold them. */
  readonly nestedRepositories: readonly string[];
}

/** Where a work tree and its parts are. */
export interface RunTreePlaces {
  readonly path: string;
  readonly repository: GitPlaces;
  /** Our index, outside the tree. */
  readonly indexFile: string;
  /** Where files go that are set aside, on the same disk. */
  readonly asideFolder: string;
}

const CHANGED_FILES = ['diff-files', '--name-only', '--no-renames', '--ignore-submodules=all', '-z'];

/** `mark` goes into the environment of every git, so that the clean-up after a killed run finds them. */
export function openGitRunTree(
  { path, repository: places, indexFile, asideFolder }: RunTreePlaces,
  mark: Readonly<Record<string, string>> = {},
): GitRunTree {
  const git = needGit(path);
  const ownGit = `${path}/.git`;
  const marked = { ...mark, ...WORKER_IDENTITY, GIT_WORK_TREE: path };
  const env = { ...marked, GIT_DIR: places.gitDirectory, GIT_INDEX_FILE: indexFile };
  const ask = async (args: readonly string[], more: GitCallOptions = {}): Promise<Buffer> => {
    // An agent could put a link in the place of its tree, and git would follow it.
    if (!isRealFolder(path))
      throw new LoadoutError('work-tree-gone', `the work tree ${path} is gone`, { subject: path });
    return gitOutput(args[0]!, await git(args, { env, ...more }));
  };
  let lastTree: string | null = null;
  let aside: readonly string[] = [];
  const updateIndex = async (options: readonly string[], names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    const input = encodePathBytes(`${names.join('\0')}\0`);
    lastTree = null;
    await ask(['update-index', ...options, '-z', '--stdin'], { input, reuseSettings: true });
  };
  const checkOut = async (commit: string, clean: string): Promise<void> => {
    await ask(['read-tree', '--reset', '-u', objectId(commit)]);
    await ask(['clean', '-ffdxq'], { reuseSettings: true });
    copyWithTimes(indexFile, clean);
  };
  /** For a work tree that was at this commit before: writes only the files that differ. */
  const putBack = async (clean: string): Promise<void> => {
    copyWithTimes(clean, indexFile);
    const [, changed] = await Promise.all([ask(['clean', '-ffdxq']), ask(CHANGED_FILES)]);
    if (changed.length === 0) return;
    const more = { input: changed, reuseSettings: true };
    await ask(['checkout-index', '--force', '--index', '-z', '--stdin'], more);
  };
  const listed = async (...options: readonly string[]): Promise<readonly string[]> =>
    splitNul(await ask(['ls-files', '--others', '--exclude-standard', '-z', ...options]));
  return {
    path,
    async reset(commit, repository, stagedTree = Promise.resolve(null)) {
      lastTree = null;
      aside = [];
      removeFolder(asideFolder);
      if (!isRealFolder(path)) {
        removeFolder(path);
        mkdirSync(encodePath(path), { recursive: true, mode: 0o700 });
      }
      // A git that was killed leaves its lock behind.
      rmSync(encodePath(`${indexFile}.lock`), { force: true });
      removeFolder(ownGit);
      const clean = `${indexFile}.at-${objectId(commit)}`;
      await (isMissing(clean) ? checkOut(commit, clean) : putBack(clean));
      const [state, staged] = await Promise.all([repository, stagedTree]);
      if (staged !== null) await ask(['read-tree', '--reset', '-u', objectId(staged)]);
      writeOwnGitDirectory(ownGit, places, commit, state);
      copyFileSync(indexFile, `${ownGit}/index`);
    },
    async snapshot() {
      const [changes, fresh] = await Promise.all([
        ask(['diff-files', '--name-status', '--no-renames', '--ignore-submodules=all', '-z']),
        listed(),
      ]);
      const { gone, changed } = readChanges(splitNul(changes));
      // Separate from the others: git looks for a file before it removes it from the index, and refuses a path behind a link.
      await updateIndex(['--force-remove'], gone);
      await updateIndex(
        ['--add', '--remove', '--replace'],
        [...changed, ...fresh.filter((name) => !isFolder(name))],
      );
      const nestedRepositories = fresh.filter(isFolder);
      lastTree ??= (await ask(['write-tree'], { reuseSettings: true })).toString().trim();
      return { tree: lastTree, nestedRepositories };
    },
    async restore(tree) {
      lastTree = null;
      await ask(['read-tree', '--reset', '-u', objectId(tree)]);
    },
    async setAside() {
      const [ignored, others] = await Promise.all([listed('--ignored', '--directory'), listed()]);
      aside = [...ignored, ...others.filter(isFolder)].map((name) => name.replace(/\/$/, ''));
      for (const name of aside) move(`${path}/${name}`, `${asideFolder}/${name}`);
      return aside;
    },
    bringBack() {
      for (const name of aside)
        if (isMissing(`${path}/${name}`)) move(`${asideFolder}/${name}`, `${path}/${name}`);
      aside = [];
      removeFolder(asideFolder);
    },
    async head() {
      // The agent's own git directory. It is asked for nothing else, because the agent can change it.
      const own = { env: { ...marked, GIT_DIR: ownGit } };
      return (await ask(['rev-parse', '--verify', '--quiet', 'HEAD'], own)).toString().trim();
    },
  };
}

/**
 * The tree that the files of the user's own work tree make now, new ones included and ignored ones not. `indexFile` is a
 * place for git to work in: the user's index and files are only read.
 */
export async function snapshotWorkTree(
  path: string,
  gitDirectory: string,
  indexFile: string,
  mark: Readonly<Record<string, string>>,
): Promise<TreeSnapshot> {
  // With the user's index git need not read the files that it knows to be unchanged.
  if (!isMissing(`${gitDirectory}/index`)) copyWithTimes(`${gitDirectory}/index`, indexFile);
  // A snapshot asks for nothing but the git directory and the index.
  const repository = { gitDirectory, commonDirectory: gitDirectory };
  const places = { path, repository, indexFile, asideFolder: `${indexFile}.aside` };
  return openGitRunTree(places, mark).snapshot();
}

/** Status and name in turn. */
function readChanges(fields: readonly string[]): { gone: readonly string[]; changed: readonly string[] } {
  const gone: string[] = [];
  const changed: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    (fields[at] === 'D' ? gone : changed).push(fields[at + 1]!);
  return { gone, changed };
}

const isFolder = (name: string): boolean => name.endsWith('/');

/** git compares the times of a file and of the index to see that a file is unchanged: a younger index would hide changes. */
function copyWithTimes(from: string, to: string): void {
  const { atime, mtime } = statSync(from);
  copyFileSync(from, `${to}.tmp`);
  utimesSync(`${to}.tmp`, atime, mtime);
  renameSync(`${to}.tmp`, to);
}

function move(from: string, to: string): void {
  mkdirSync(encodePath(dirname(to)), { recursive: true, mode: 0o700 });
  renameSync(encodePath(from), encodePath(to));
}

function isMissing(path: string): boolean {
  return lstatSync(encodePath(path), { throwIfNoEntry: false }) === undefined;
}

function isRealFolder(path: string): boolean {
  return lstatSync(encodePath(path), { throwIfNoEntry: false })?.isDirectory() === true;
}
