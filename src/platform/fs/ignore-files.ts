// Ignore files outside the folders of a repository: the repository's own and the user's. Needed where files are
// listed without git.

import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { environment } from '../environment.ts';
import { defaultIgnoreFile, expandHome } from '../git/git-hardening.ts';
import { gitFailureText, gitRunner } from '../git/git-runner.ts';
import { locateRepository } from '../git/locate-repository.ts';
import { withSlashes } from './path-codec.ts';
import { readRegularFile } from './read-file.ts';

/** The size limit of one ignore file. Each line is compared with each path, so a larger file would take hours. */
export const MAX_IGNORE_FILE_BYTES = 1_000_000;

const MAX_CONFIG_BYTES = 1_000_000;
const MAX_POINTER_BYTES = 4_096;
const TIMEOUT_MS = 10_000;
/** A git directory that does not exist: the settings of the repository may be the cause of the failure. */
const NO_REPOSITORY = '/dev/null/none';

/** The rules that hold for all folders. */
export interface IgnoreFiles {
  /** The work tree that holds the folder, or the folder itself where there is none. */
  readonly workTree: string;
  /** Rules for all of it, as bytes, those that count more first: the repository's own, then the user's. */
  readonly contents: readonly Buffer[];
}

/** The ignore files that git reads beside those in the folders, for a list that is made without git. */
export async function readIgnoreFiles(directory: string): Promise<IgnoreFiles> {
  const place = locateRepository(directory);
  const { workTree, gitDirectory } =
    'workTree' in place ? place : { workTree: directory, gitDirectory: null };
  const excludes = gitDirectory === null ? null : join(commonDirectory(gitDirectory), 'info/exclude');
  const paths = [excludes, await userIgnoreFile(workTree)];
  return {
    workTree: withSlashes(workTree),
    contents: paths.flatMap((path) => (path ? (readRules(path) ?? []) : [])),
  };
}

/** The error for an ignore file over the limit. */
export function tooLargeToIgnore(path: string, size: number): LoadoutError {
  return new LoadoutError(
    'ignore-file-too-large',
    `the ignore file ${path} has ${size} bytes; at most ${MAX_IGNORE_FILE_BYTES} bytes are read`,
    { subject: path, hint: 'nothing is listed without its rules: make it smaller, or remove it' },
  );
}

/** Null for a file that git ignores as well: missing, unreadable or not a regular file. */
function readRules(path: string): Buffer | null {
  try {
    return readRegularFile(path, MAX_IGNORE_FILE_BYTES);
  } catch (error) {
    if (errorCode(error) === 'too-large') throw tooLargeToIgnore(path, statSync(path).size);
    return null;
  }
}

/** All work trees of a repository share one. */
function commonDirectory(gitDirectory: string): string {
  const pointer = readQuietly(join(gitDirectory, 'commondir'), MAX_POINTER_BYTES);
  return pointer === '' ? gitDirectory : resolve(gitDirectory, pointer.trim());
}

/** The ignore file that the user has set for all repositories; a repository cannot name one here. */
async function userIgnoreFile(workTree: string): Promise<string> {
  const env = environment();
  const git = gitRunner(workTree);
  if (git === null) return withoutGit(workTree);
  const result = await git(['config', '--global', '--type=path', '--get', 'core.excludesFile'], {
    env: { GIT_DIR: NO_REPOSITORY },
    timeoutMs: TIMEOUT_MS,
  });
  if (result.outcome === 'exited' && result.exitCode === 0)
    return resolve(workTree, result.stdout.toString().replace(/\n$/, ''));
  if (result.outcome === 'exited' && result.exitCode === 1) return defaultIgnoreFile(env);
  if (result.outcome === 'not-found') return withoutGit(workTree);
  throw new LoadoutError(
    'ignore-files-unknown',
    `cannot tell which files git ignores: git config failed: ${gitFailureText(result)}`,
    { subject: 'core.excludesFile', hint: 'correct the git configuration of your account' },
  );
}

/** Reads the same setting without git, which does not follow included files. */
function withoutGit(workTree: string): string {
  const env = environment();
  const home = env.HOME ?? '';
  const folder = env.XDG_CONFIG_HOME || join(home, '.config');
  let found = defaultIgnoreFile(env);
  for (const file of [join(folder, 'git/config'), join(home, '.gitconfig')]) {
    let section = '';
    for (const line of readQuietly(file, MAX_CONFIG_BYTES).split(/\r?\n/)) {
      section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1]?.toLowerCase() ?? section;
      const value = /^(?:\s*\[[^\]]*\])?\s*excludesfile\s*=\s*"?(.*?)"?\s*$/i.exec(line)?.[1];
      if (section === 'core' && value) found = resolve(workTree, expandHome(value, env));
    }
  }
  return found;
}

/** Empty when the file cannot be read. */
function readQuietly(path: string, maxBytes: number): string {
  try {
    return readRegularFile(path, maxBytes).toString();
  } catch {
    return '';
  }
}
