import { copyFileSync, lstatSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { gitOutput } from './git-failure.ts';
import { splitNul } from './git-output.ts';
import type { GitCallOptions } from './git-runner.ts';
import { needGit, objectId, WORKER_IDENTITY } from './git-writer.ts';
import { decodePath, encodePath, encodePathBytes } from './path-codec.ts';
import { readRegularFile } from './read-file.ts';

const MOST_POINTER_BYTES = 4_096;

/** A work tree in which an agent works. What it did is told from an index of ours, which the agent never sees. */
export interface GitRunTree {
  readonly path: string;
  /** Makes the tree that of a commit, whatever was in it. */
  reset(commit: string): Promise<void>;
  /** The id of the tree that the files make now, without ignored ones. Files are not touched. */
  snapshot(): Promise<TreeSnapshot>;
  /** Takes back what changed since a snapshot; ignored files stay. */
  restore(tree: string): Promise<void>;
  /** The commit that is checked out; another than at the start means that the agent has committed. */
  head(): Promise<string>;
  /** The git directory is still the one that was made for this tree. */
  isSound(): boolean;
}

export interface TreeSnapshot {
  readonly tree: string;
  /** Repositories that the agent made inside the tree: no tree can hold them. */
  readonly nestedRepositories: readonly string[];
}

const CHANGED_FILES = ['diff-files', '--name-only', '--no-renames', '--ignore-submodules=all', '-z'];

/** `indexFile` is where our index lies, outside the tree. */
export function openGitRunTree(
  path: string,
  gitDirectory: string,
  indexFile: string,
  mark: Readonly<Record<string, string>> = {},
): GitRunTree {
  const git = needGit(path);
  // Named, because the agent could make its `.git` file lead to another repository.
  const env = {
    ...mark,
    ...WORKER_IDENTITY,
    GIT_DIR: gitDirectory,
    GIT_WORK_TREE: path,
    GIT_INDEX_FILE: indexFile,
  };
  const ask = async (args: readonly string[], more: GitCallOptions = {}): Promise<Buffer> =>
    gitOutput(args[0]!, await git(args, { env, ...more }));
  let lastTree: string | null = null;
  const isSound = (): boolean => {
    const target = quietly(() => decodePath(readRegularFile(join(path, '.git'), MOST_POINTER_BYTES)));
    return (
      target === `gitdir: ${gitDirectory}\n` &&
      // Settings of this tree alone could come from its last agent.
      ['config.worktree', 'info', 'modules'].every((name) => isMissing(join(gitDirectory, name)))
    );
  };
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
  /** The tree was at this commit before: only what differs since is written. */
  const putBack = async (clean: string): Promise<void> => {
    copyWithTimes(clean, indexFile);
    const [, changed] = await Promise.all([ask(['clean', '-ffdxq']), ask(CHANGED_FILES)]);
    if (changed.length === 0) return;
    const more = { input: changed, reuseSettings: true };
    await ask(['checkout-index', '--force', '--index', '-z', '--stdin'], more);
  };
  /** The commit, where `HEAD` names one itself and not a branch. */
  const readHead = (): string | null => {
    const file = `${gitDirectory}/HEAD`;
    return quietly(() => readRegularFile(file, MOST_POINTER_BYTES).toString('latin1').trim());
  };
  return {
    path,
    isSound,
    async reset(commit) {
      lastTree = null;
      // A git that was killed leaves its lock behind.
      for (const file of [indexFile, `${gitDirectory}/index`, `${gitDirectory}/HEAD`])
        rmSync(encodePath(`${file}.lock`), { force: true });
      const isThere = readHead() === objectId(commit);
      const moving = isThere ? null : ask(['update-ref', '--no-deref', 'HEAD', commit]);
      const clean = `${indexFile}.at-${commit}`;
      await Promise.all([moving, isMissing(clean) ? checkOut(commit, clean) : putBack(clean)]);
      copyFileSync(indexFile, `${gitDirectory}/index`);
    },
    async snapshot() {
      const [changes, others] = await Promise.all([
        ask(['diff-files', '--name-status', '--no-renames', '--ignore-submodules=all', '-z']),
        ask(['ls-files', '--others', '--exclude-standard', '-z']),
      ]);
      const { gone, changed } = readChanges(splitNul(changes));
      const fresh = splitNul(others);
      // Apart from the others: git looks for a file before it believes that it is gone, and refuses behind a link.
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
    async head() {
      return (await ask(['rev-parse', '--verify', '--quiet', 'HEAD'])).toString().trim();
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
  return openGitRunTree(path, gitDirectory, indexFile, mark).snapshot();
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

/** git takes a file for unchanged by its times and those of the index: a younger index would hide changes. */
function copyWithTimes(from: string, to: string): void {
  const { atime, mtime } = statSync(from);
  copyFileSync(from, `${to}.tmp`);
  utimesSync(`${to}.tmp`, atime, mtime);
  renameSync(`${to}.tmp`, to);
}

function isMissing(path: string): boolean {
  return lstatSync(encodePath(path), { throwIfNoEntry: false }) === undefined;
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
