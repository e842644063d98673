import type { Stats } from 'node:fs';
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { decodePath, encodePath, withSlashes } from './path-codec.ts';
import { readRegularFile } from './read-file.ts';

export type RepositoryPlace =
  | { readonly kind: 'found'; readonly workTree: string; readonly gitDirectory: string }
  | { readonly kind: 'not-a-repository' | 'bare-repository'; readonly detail: string }
  /** It is there, and git is not to open it. */
  | {
      readonly kind: 'refused';
      readonly workTree: string;
      readonly gitDirectory: string;
      readonly detail: string;
    };

/** Files git opens by itself; as a FIFO each of them would hang it. */
const GIT_FILES = [
  'HEAD',
  'config',
  'config.worktree',
  'commondir',
  'index',
  'packed-refs',
  'shallow',
  'info/exclude',
  'info/attributes',
  'info/sparse-checkout',
  'objects/info/alternates',
];
const MAX_GIT_FILE_BYTES = 4096;

/**
 * Finds the work tree around a directory without asking git, so that git's own answer can be checked: the
 * repository's configuration has a say in that one.
 */
export function locateRepository(directory: string): RepositoryPlace {
  const start = realPath(directory);
  if (start === null) return { kind: 'not-a-repository', detail: `${directory} does not exist` };
  for (let folder = start; ; folder = dirname(folder)) {
    const gitDirectory = gitDirectoryOf(folder);
    if (gitDirectory !== null) return checkGitDirectory(folder, gitDirectory);
    if (isGitDirectory(folder)) {
      return { kind: 'bare-repository', detail: `${folder} is a git directory without a work tree` };
    }
    if (dirname(folder) === folder) {
      return { kind: 'not-a-repository', detail: `neither ${start} nor a folder above it has a .git` };
    }
  }
}

/** Whether this very folder is a repository without a work tree. */
export function isBareRepository(path: string): boolean {
  const real = realPath(path);
  return real !== null && gitDirectoryOf(real) === null && isGitDirectory(real);
}

function checkGitDirectory(workTree: string, gitDirectory: string): RepositoryPlace {
  const place = { workTree: withSlashes(workTree), gitDirectory: withSlashes(gitDirectory) };
  for (const name of GIT_FILES) {
    const stats = statOrNull(join(gitDirectory, name));
    if (stats !== null && !stats.isFile()) {
      return { kind: 'refused', ...place, detail: `${join(gitDirectory, name)} is not a regular file` };
    }
  }
  return { kind: 'found', ...place };
}

/** The real git directory that `folder/.git` stands for: a folder, or a file that names one. */
function gitDirectoryOf(folder: string): string | null {
  const entry = join(folder, '.git');
  const stats = statOrNull(entry);
  if (stats?.isDirectory()) return isGitDirectory(entry) ? realPath(entry) : null;
  if (!stats?.isFile() || stats.size > MAX_GIT_FILE_BYTES) return null;
  try {
    const [, target] =
      /^gitdir: (.+?)[\r\n]*$/s.exec(decodePath(readRegularFile(entry, MAX_GIT_FILE_BYTES))) ?? [];
    return target === undefined ? null : realPath(resolve(folder, target));
  } catch {
    return null;
  }
}

function isGitDirectory(folder: string): boolean {
  if (!entryExists(join(folder, 'HEAD'))) return false;
  return (
    entryExists(join(folder, 'commondir')) ||
    (entryExists(join(folder, 'objects')) && entryExists(join(folder, 'refs')))
  );
}

function entryExists(path: string): boolean {
  try {
    return lstatSync(encodePath(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(encodePath(path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

export function realPath(path: string): string | null {
  try {
    return decodePath(realpathSync.native(encodePath(path), 'buffer'));
  } catch {
    return null;
  }
}
