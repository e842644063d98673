// Git directories that Loadout makes for the work trees of agents. They borrow the objects of the user's
// repository and share nothing else with it.

import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodePath, encodePath, encodePathBytes, isInsideRoot } from '../fs/path-codec.ts';
import { contentHash } from '../fs/read-file.ts';
import { gitOutput, type RunGit } from './git-runner.ts';
import { realPath } from './locate-repository.ts';

/** The directories of the user's repository. */
export interface GitPlaces {
  /** Of the user's work tree. */
  readonly gitDirectory: string;
  /** Shared by all work trees of the repository. */
  readonly commonDirectory: string;
}

/** The parts of a repository that a run must not change. */
export interface UserState {
  /** By name, such as `refs/heads/main`. */
  readonly refs: ReadonlyMap<string, string>;
  /** For each file that decides what git does there: a value that changes with the file. */
  readonly files: ReadonlyMap<string, string>;
}

export interface RepositoryState extends UserState {
  /** Settings that our git directory copies: how files are written and who the user is. None names a program. */
  readonly settings: readonly (readonly [key: string, value: string])[];
}

/**
 * Everything that is taken over. A setting that is not listed stays with the user's repository, so that no program
 * that a repository names can run in our git directory, under any setting.
 */
const TAKEN_OVER =
  '^(core[.](filemode|ignorecase|symlinks|precomposeunicode|autocrlf|eol|safecrlf|longpaths|sparsecheckout|' +
  'sparsecheckoutcone)|user[.](name|email)|remote[.].*[.](url|pushurl|fetch))$';
/** A remote helper is a program, and an address can name one: `ext::program`. */
const PLAIN_ADDRESS = /^(?!-)(?![\w.+-]*::)/;
const MAX_COPIED_BYTES = 4 * 1024 * 1024;
/** Branches that runs are asked to make. */
const OWN_BRANCHES = 'refs/heads/loadout/';
const SHOWN_REFS = /^refs\/(?:heads|tags|remotes)\//;
const WATCHED_FILES = ['config', 'config.worktree', 'HEAD', 'info/attributes', 'info/exclude', 'commondir'];
/** This file in our git directory names the repository whose objects it borrows. */
const ORIGIN_FILE = 'loadout-origin';

/** The parts that a run must leave as they are; compared before and after. */
export async function readUserState(
  git: RunGit,
  places: GitPlaces,
  env: Readonly<Record<string, string>> = {},
): Promise<UserState> {
  const output = gitOutput(
    'for-each-ref',
    await git(['for-each-ref', '--format=%(objectname) %(refname)'], { env }),
  );
  return { refs: parseRefs(decodePath(output)), files: watchedFiles(places) };
}

/** The same, with the settings that our git directory copies. */
export async function readRepositoryState(
  git: RunGit,
  places: GitPlaces,
  env: Readonly<Record<string, string>> = {},
): Promise<RepositoryState> {
  const [state, settings] = await Promise.all([
    readUserState(git, places, env),
    git(['config', '--show-scope', '--null', '--get-regexp', TAKEN_OVER], { env }),
  ]);
  const isNone = settings.outcome === 'exited' && settings.exitCode === 1;
  return {
    ...state,
    settings: isNone ? [] : parseSettings(gitOutput('config', settings).toString('utf8')),
  };
}

/** Names of refs and files that differ in the user's repository, except branches of runs. */
export function differencesIn(before: UserState, after: UserState): readonly string[] {
  return [...differences(before.files, after.files), ...differences(before.refs, after.refs)].filter(
    (name) => !name.startsWith(OWN_BRANCHES),
  );
}

/**
 * Makes `path` a git directory of its own that borrows objects from the user's repository: what is done in it
 * changes no branch, stash, setting or hook of the user. It must not exist.
 */
export function writeOwnGitDirectory(
  path: string,
  places: GitPlaces,
  commit: string,
  { refs, settings }: Pick<RepositoryState, 'refs' | 'settings'>,
): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info'])
    mkdirSync(encodePath(`${path}/${folder}`), { recursive: true, mode: 0o700 });
  const write = (name: string, content: string | Buffer) =>
    writeFileSync(encodePath(`${path}/${name}`), content, { mode: 0o600 });
  const shown = [...refs].filter(([name]) => SHOWN_REFS.test(name));
  write('objects/info/alternates', alternate(`${places.commonDirectory}/objects`));
  write('packed-refs', encodePathBytes(shown.map(([name, id]) => `${id} ${name}\n`).join('')));
  write('config', configText(commit, settings));
  write(ORIGIN_FILE, encodePathBytes(places.commonDirectory));
  for (const [from, name] of [
    [places.commonDirectory, 'info/exclude'],
    [places.commonDirectory, 'info/attributes'],
    [places.commonDirectory, 'shallow'],
    [places.gitDirectory, 'info/sparse-checkout'],
  ] as const) {
    const content = readPlainFile(join(from, name));
    if (content !== null) write(name, content);
  }
  // Written last: without it git does not recognise the folder as a git directory.
  write('HEAD', `${commit}\n`);
}

/**
 * The repository whose objects one of Loadout's git directories borrows. Only a git directory inside our cache directory is
 * believed: any repository could claim this of itself.
 */
export function repositoryIdentity(commonDirectory: string, cacheDirectory: string): string {
  const isOurs = isInsideRoot(realPath(cacheDirectory) ?? cacheDirectory, commonDirectory);
  const origin = isOurs ? readPlainFile(join(commonDirectory, ORIGIN_FILE)) : null;
  return origin === null ? commonDirectory : decodePath(origin);
}

function parseRefs(output: string): ReadonlyMap<string, string> {
  const lines = output.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]));
}

function parseSettings(output: string): [string, string][] {
  const fields = output.split('\0');
  const settings: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', ...value] = fields[at + 1]!.split('\n');
    // The user's own settings hold in every git directory; a key that is not text cannot be written.
    const isOfRepository = fields[at] === 'local' || fields[at] === 'worktree';
    if (isOfRepository && !key.includes('\ufffd') && isPlain(key, value.join('\n')))
      settings.push([key, value.join('\n')]);
  }
  return settings;
}

function isPlain(key: string, value: string): boolean {
  return !/^remote[.].*url$/.test(key) || PLAIN_ADDRESS.test(value);
}

function configText(commit: string, settings: RepositoryState['settings']): string {
  const isSha256 = commit.length === 64;
  const lines = ['[core]', `\trepositoryformatversion = ${isSha256 ? 1 : 0}`, '\tbare = false'];
  if (isSha256) lines.push('[extensions]', '\tobjectFormat = sha256');
  for (const [key, value] of settings) {
    const section = key.slice(0, key.indexOf('.'));
    const name = key.slice(key.lastIndexOf('.') + 1);
    const middle = key.slice(section.length + 1, -name.length - 1);
    const head = middle === '' ? section : `${section} ${quoted(middle)}`;
    lines.push(`[${head}]`, `\t${name} = ${/^[\w./:@+*~-]+$/.test(value) ? value : quoted(value)}`);
  }
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`;
}

/** git takes a line that begins with a quotation mark for a quoted one. */
function alternate(path: string): Buffer {
  return encodePathBytes(`${/[\n"]/.test(path) ? quoted(path) : path}\n`);
}

function watchedFiles({ gitDirectory, commonDirectory }: GitPlaces): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const folder of new Set([commonDirectory, gitDirectory])) {
    for (const name of WATCHED_FILES) {
      const path = join(folder, name);
      const content = readPlainFile(path);
      if (content !== null) files.set(path, contentHash(content));
      else if (isThere(path)) files.set(path, 'unreadable');
    }
  }
  const hooks = join(commonDirectory, 'hooks');
  for (const name of listOrNone(hooks)) {
    const { size, mtimeMs, mode, ino } =
      lstatSync(encodePath(join(hooks, name)), { throwIfNoEntry: false }) ?? {};
    files.set(join(hooks, name), [size, mtimeMs, mode, ino].join());
  }
  return files;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}

/** Null unless it is a regular file of a usual size: a FIFO would hang us, a link may lead anywhere. */
function readPlainFile(path: string): Buffer | null {
  try {
    const stats = lstatSync(encodePath(path));
    return stats.isFile() && stats.size <= MAX_COPIED_BYTES ? readFileSync(encodePath(path)) : null;
  } catch {
    return null;
  }
}

function isThere(path: string): boolean {
  return lstatSync(encodePath(path), { throwIfNoEntry: false }) !== undefined;
}

function listOrNone(folder: string): readonly string[] {
  try {
    return readdirSync(encodePath(folder), 'buffer').map(decodePath);
  } catch {
    return [];
  }
}
