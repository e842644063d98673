// Finds repositories: the work tree around a folder, and the repository that `--repo` names by an address. git is not
// asked, because the settings of a hostile repository take part in its answers.

import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodePath, encodePath, isInsideRoot, withSlashes } from '../fs/path-codec.ts';
import { readRegularFile } from '../fs/read-file.ts';

/** Where the repository is, or why there is none that may be opened. */
export type RepositoryPlace =
  | { readonly kind: 'found'; readonly workTree: string; readonly gitDirectory: string }
  | { readonly kind: 'not-a-repository' | 'bare-repository'; readonly detail: string }
  /** The repository exists, and git must not open it. */
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
const MAX_CONFIG_BYTES = 1024 * 1024;
/** The parts that name commits and files. Objects may be borrowed, because none can be found without its name. */
const NAMING_FILES = ['HEAD', 'index', 'packed-refs', 'refs', 'reftable'];

/**
 * Finds the work tree around a directory without asking git, so that git's own answer can be checked: the
 * repository's configuration can change git's answer.
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
function isBareRepository(path: string): boolean {
  const real = realPath(path);
  return real !== null && gitDirectoryOf(real) === null && isGitDirectory(real);
}

/** The last checks before git may open a git directory. */
function checkGitDirectory(workTree: string, gitDirectory: string): RepositoryPlace {
  const place = { workTree: withSlashes(workTree), gitDirectory: withSlashes(gitDirectory) };
  for (const name of GIT_FILES) {
    const stats = statOrNull(join(gitDirectory, name));
    if (stats !== null && !stats.isFile()) {
      return { kind: 'refused', ...place, detail: `${join(gitDirectory, name)} is not a regular file` };
    }
  }
  const foreign = whatIsForeign(workTree, gitDirectory);
  if (foreign !== null) return { kind: 'refused', ...place, detail: foreign };
  return { kind: 'found', ...place };
}

/**
 * Why a git directory is not that of this work tree; null when it is. A `.git` that comes with a folder can lead
 * anywhere, and git's answers about another repository would then be shown as answers about this one. So a git directory
 * elsewhere has to name the work tree itself, as it does for git's own work trees and submodules.
 */
function whatIsForeign(workTree: string, gitDirectory: string): string | null {
  const common = commonDirectoryOf(gitDirectory);
  if (common === null) return `${join(gitDirectory, 'commondir')} leads to another repository`;
  const isLinked = common !== gitDirectory;
  const isOwn = gitDirectory === join(workTree, '.git') || isInsideRoot(workTree, gitDirectory);
  if (isLinked && realPath(dirname(pathIn(gitDirectory, 'gitdir') ?? '/')) !== workTree)
    return `${workTree}/.git leads to ${gitDirectory}, the git directory of another work tree; if you moved this one, run "git worktree repair"`;
  if (!isLinked && !isOwn && !namedWorkTrees(gitDirectory).includes(workTree))
    return `${workTree}/.git leads to ${gitDirectory}, which may be that of another repository; if it is yours, run "git config core.worktree ${workTree}" here`;
  const link = [...new Set([gitDirectory, common])]
    .flatMap((folder) => NAMING_FILES.map((name) => join(folder, name)))
    .map((path) => linkOut(path, common))
    .find((path) => path !== null);
  return link ? `${link} is a link that leads to another repository` : null;
}

/** The directory with objects and branches; null when it does not belong to this git directory. */
function commonDirectoryOf(gitDirectory: string): string | null {
  if (!entryExists(join(gitDirectory, 'commondir'))) return gitDirectory;
  const common = realPath(pathIn(gitDirectory, 'commondir') ?? '');
  return common !== null && dirname(gitDirectory) === join(common, 'worktrees') ? common : null;
}

/** Work trees that the settings of a git directory name. */
function namedWorkTrees(gitDirectory: string): readonly (string | null)[] {
  const lines = ['config', 'config.worktree'].flatMap((name) =>
    (readText(join(gitDirectory, name), MAX_CONFIG_BYTES) ?? '').split('\n'),
  );
  let isCore = false;
  const named: string[] = [];
  for (const line of lines) {
    const [, section] = /^\s*\[(.*)\]\s*$/.exec(line) ?? [];
    if (section !== undefined) isCore = section.trim().toLowerCase() === 'core';
    const [, value] = (isCore && /^\s*worktree\s*=\s*(.*?)\s*$/i.exec(line)) || [];
    if (value !== undefined) named.push(value.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1'));
  }
  return named.map((path) => realPath(resolve(gitDirectory, path)));
}

/** The first link at or below a path that leads out of the git directory. */
function linkOut(path: string, common: string): string | null {
  const stats = lstatOrNull(path);
  if (stats?.isSymbolicLink()) {
    const target = realPath(path);
    return target === null || isInsideRoot(common, target) ? null : path;
  }
  if (!stats?.isDirectory()) return null;
  for (const entry of entriesOf(path)) {
    if (entry.isFile()) continue;
    const found = linkOut(join(path, decodePath(entry.name)), common);
    if (found !== null) return found;
  }
  return null;
}

/** Empty for a folder that cannot be read. */
function entriesOf(folder: string) {
  try {
    return readdirSync(encodePath(folder), { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}

/** The path that a file of git holds, resolved from the folder of that file. */
function pathIn(folder: string, name: string): string | null {
  const text = readText(join(folder, name), MAX_GIT_FILE_BYTES);
  return text === null ? null : resolve(folder, text.replace(/[\r\n]+$/, ''));
}

function readText(path: string, maxBytes: number): string | null {
  try {
    return decodePath(readRegularFile(path, maxBytes));
  } catch {
    return null;
  }
}

/** The real git directory that `folder/.git` stands for: a folder, or a file that names one. */
function gitDirectoryOf(folder: string): string | null {
  const entry = join(folder, '.git');
  const stats = statOrNull(entry);
  if (stats?.isDirectory()) return isGitDirectory(entry) ? realPath(entry) : null;
  const [, target] = /^gitdir: (.+?)[\r\n]*$/s.exec(readText(entry, MAX_GIT_FILE_BYTES) ?? '') ?? [];
  return target === undefined ? null : realPath(resolve(folder, target));
}

/** By the files that git itself looks for. */
function isGitDirectory(folder: string): boolean {
  if (!entryExists(join(folder, 'HEAD'))) return false;
  return (
    entryExists(join(folder, 'commondir')) ||
    (entryExists(join(folder, 'objects')) && entryExists(join(folder, 'refs')))
  );
}

function entryExists(path: string): boolean {
  return lstatOrNull(path) !== null;
}

/** Null when there is nothing, or nothing that can be looked at. */
function lstatOrNull(path: string): Stats | null {
  try {
    return lstatSync(encodePath(path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function statOrNull(path: string): Stats | null {
  try {
    return statSync(encodePath(path), { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

/** The path without links; null when there is nothing. */
export function realPath(path: string): string | null {
  try {
    return decodePath(realpathSync.native(encodePath(path), 'buffer'));
  } catch {
    return null;
  }
}

/** A repository that is not a folder of files: an address, or a repository without a work tree. */
export interface RepositorySource {
  readonly url: string;
  /** Branch, tag or commit; empty means the one that the repository shows first. */
  readonly ref: string;
}

const ADDRESS = /^(?:https?|ssh|git|file):\/\/./i;
/** `git@host:owner/name`, but not `C:\folder` and not `ext::command`. */
const SHORT_ADDRESS = /^[\w.-]+@[\w.-]+:(?!:)[^\s]+$/;
/** A branch, tag or commit; none begins like an option. */
const REF = /^(?!.*\.\.)[\w][\w./@+-]*$/;
const CREDENTIALS = /(\b[a-z]+:\/\/)[^/\s@]+@/gi;

/** The repository that `--repo` names when it has to be copied first; null for an ordinary folder. */
export function repositorySource(given: string, cwd: string): RepositorySource | null {
  if (ADDRESS.test(given) || SHORT_ADDRESS.test(given)) {
    const at = given.indexOf('#');
    const source = at < 0 ? { url: given, ref: '' } : { url: given.slice(0, at), ref: given.slice(at + 1) };
    if (source.ref === '' || REF.test(source.ref)) return source;
    const message = `${JSON.stringify(source.ref)} is not the name of a branch, a tag or a commit`;
    throw new LoadoutError('bad-repository', message, { subject: given });
  }
  const path = withSlashes(resolve(cwd, given));
  return isBareRepository(path) ? { url: path, ref: '' } : null;
}

/** `owner/name` as hosts spell it, with a branch after `#` if wanted. */
const HOSTED = /^([a-z0-9][\w.-]{0,99})\/([a-z0-9_][\w.-]{0,99})(#.*)?$/i;
const PLACE_OF_NAME = '{repository}';

/** Whether `--repo` names a repository of a host. An existing folder takes precedence, and so does a path below one. */
export function isHostedName(given: string, cwd: string): boolean {
  const [, owner = ''] = HOSTED.exec(given) ?? [];
  return owner !== '' && !given.includes('..') && realPath(withSlashes(resolve(cwd, owner))) === null;
}

/** The address of `owner/name`; the template is a setting of the user. */
export function hostedAddress(name: string, template: string): string {
  const isAddress = ADDRESS.test(template) || SHORT_ADDRESS.test(template);
  if (!isAddress || !template.includes(PLACE_OF_NAME))
    throw new LoadoutError(
      'bad-setting',
      `repositoryUrl: ${JSON.stringify(withoutCredentials(template))} is not an address with ${PLACE_OF_NAME} in it`,
      { subject: 'repositoryUrl', hint: `such as: https://git.example.org/${PLACE_OF_NAME}.git` },
    );
  const [, owner, repository, ref = ''] = HOSTED.exec(name)!;
  return `${template.replaceAll(PLACE_OF_NAME, `${owner}/${repository}`)}${ref}`;
}

/** Removes user and password from addresses, for messages and logs. */
export function withoutCredentials(text: string): string {
  return text.replace(CREDENTIALS, '$1');
}

const MAX_ORIGIN_CONFIG_BYTES = 1_000_000;

/** The last two parts of the address of `origin`, such as `org/app`; empty when there is none. The address itself may hold a key. */
export function originName(gitCommonDirectory: string): string {
  let inOrigin = false;
  for (const line of configLines(gitCommonDirectory)) {
    const section = /^\s*\[(.*)\]\s*$/.exec(line);
    if (section) inOrigin = /^remote\s+"origin"$/.test(section[1]!.trim());
    const url = inOrigin ? /^\s*url\s*=\s*(\S+)\s*$/.exec(line) : null;
    if (url) return lastParts(url[1]!);
  }
  return '';
}

/** Lines of the git configuration; empty when it cannot be read. */
function configLines(folder: string): readonly string[] {
  try {
    return readRegularFile(join(folder, 'config'), MAX_ORIGIN_CONFIG_BYTES).toString().split('\n');
  } catch {
    return [];
  }
}

/** The last two folders of an address, whatever its form. */
function lastParts(address: string): string {
  const path = address
    .replace(/^\w[\w+.-]*:\/\/[^/]*/, '')
    .replace(/^[^/:]*:(?!\\)/, '/')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '');
  const parts = path.split(/[\\/]/).filter((part) => /^[\w.-]+$/.test(part));
  return parts.slice(-2).join('/');
}
