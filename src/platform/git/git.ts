// The git client: read-only questions about one work tree.

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { decodePath, encodePathBytes } from '../fs/path-codec.ts';
import type { ProcessResult } from '../process/process-runner.ts';
import { checkGitArguments } from './git-hardening.ts';
import { type GitHistory, gitHistory } from './git-history.ts';
import {
  type GitRunOptions,
  gitFailureText,
  gitOutput,
  gitRunner,
  parseAttributes,
  parseTrackedFiles,
  type RunGit,
  splitNul,
} from './git-runner.ts';
import { locateRepository } from './locate-repository.ts';

/** A tracked file as git's index has it. */
export interface GitFile {
  readonly path: string;
  readonly blob: string;
  readonly mode: 'file' | 'executable' | 'symlink' | 'submodule';
  /** False where git was told not to look at the work tree, and for files in conflict. */
  readonly trustStat: boolean;
  /** A sparse checkout leaves it out of the work tree. */
  readonly isSparse: boolean;
}

/** Questions to git about one work tree. Nothing is written, nothing the repository names is run. */
export interface GitClient {
  readonly workTree: string;
  readonly gitDirectory: string;
  /** Shared by all work trees of the repository. */
  readonly commonDirectory: string;
  readonly history: GitHistory;
  /** The commit of `head` at the time when the repository was opened. */
  readonly headAtOpening: string | null;
  /** The commit, or null on a branch without one. */
  head(): Promise<string | null>;
  /** Changes whenever the list of tracked files may have changed; null when that is unknown. */
  indexState(): string | null;
  trackedFiles(): Promise<readonly GitFile[]>;
  /** Without ignored files. A nested repository is listed as one folder, `name/`. */
  untrackedFiles(): Promise<readonly string[]>;
  /** Tracked files whose state on disk differs from the index, deleted ones included. */
  modifiedFiles(): Promise<readonly string[]>;
  /** Files that differ between a commit and HEAD; null when that is unknown. */
  changedSince(commit: string): Promise<readonly string[] | null>;
  /** For each path the attributes that are specified there: `set`, `unset` or a value. */
  attributes(
    names: readonly string[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>;
  /** Any other read-only plumbing command; everything else is refused. */
  run(args: readonly string[], options?: GitRunOptions): Promise<ProcessResult>;
}

/** Why a folder is read without git. */
export type GitAbsence = 'no-git-binary' | 'not-a-repository' | 'bare-repository' | 'refused';

type GitOpening =
  | { readonly kind: 'git'; readonly client: GitClient }
  | { readonly kind: 'none'; readonly reason: GitAbsence; readonly detail: string };

const OPEN_TIMEOUT_MS = 10_000;
/** The first version that takes settings from the environment, which switches off filters of any name. */
const OLDEST_VERSION = '2.31';
/** That version knows this option too; an older version prints it back as it came. */
const ABSOLUTE_PATHS = '--path-format=absolute';

/** Opens the repository whose work tree holds `directory`; `toList` says that its files are to be listed at once. */
export async function openGit(directory: string, { toList = false } = {}): Promise<GitOpening> {
  const place = locateRepository(directory);
  if (place.kind !== 'found') return none(place.kind, place.detail);
  const { workTree, gitDirectory } = place;
  const git = gitRunner(workTree);
  if (git === null) return none('no-git-binary', 'no git program is on the PATH');
  const query = ['rev-parse', '--show-toplevel', '--absolute-git-dir', ABSOLUTE_PATHS, '--git-common-dir'];
  if (toList) git.expectWork();
  const answer = await git([...query, '--revs-only', 'HEAD^{commit}'], { timeoutMs: OPEN_TIMEOUT_MS });
  if (answer.outcome === 'not-found') return none('no-git-binary', answer.stderr.toString());
  if (answer.exitCode !== 0) {
    const detail = gitFailureText(answer);
    return none(detail.includes('must be run in a work tree') ? 'bare-repository' : 'refused', detail);
  }
  const output = decodePath(answer.stdout);
  if (output.split('\n').includes(ABSOLUTE_PATHS))
    return none('refused', `the git program is older than ${OLDEST_VERSION}`);
  // `core.worktree` in a hostile repository could make any folder of the machine the work tree.
  const expected = `${workTree}\n${gitDirectory}\n`;
  if (!output.startsWith(expected)) {
    return none('refused', `git takes ${output.split('\n')[0]} for the work tree, not ${workTree}`);
  }
  const [, commonDirectory = '', headAtOpening = null] =
    /^(.*?)\n(?:([0-9a-f]{40,64})\n)?$/s.exec(output.slice(expected.length)) ?? [];
  const history = gitHistory(git, gitDirectory, commonDirectory);
  const indexState = () => gitIndexState(gitDirectory);
  const places = { workTree, gitDirectory, commonDirectory, headAtOpening };
  return { kind: 'git', client: { ...places, history, indexState, ...questions(git) } };
}

function none(reason: GitAbsence, detail: string): GitOpening {
  return { kind: 'none', reason, detail };
}

type Questions =
  | 'head'
  | 'trackedFiles'
  | 'untrackedFiles'
  | 'modifiedFiles'
  | 'changedSince'
  | 'attributes'
  | 'run';

function questions(git: RunGit): Pick<GitClient, Questions> {
  const ask = async (args: readonly string[], input?: Buffer): Promise<Buffer> => {
    return gitOutput(args[0]!, await git(args, input === undefined ? {} : { input }));
  };
  /** By standard input, where a name that looks like an option is still a name. */
  const resolveCommits = async (names: readonly string[]): Promise<(string | null)[]> => {
    const input = Buffer.from(names.map((name) => `${name}^{commit}\n`).join(''));
    const output = await ask(['cat-file', '--batch-check=%(objectname)'], input);
    const lines = output.toString().split('\n');
    return names.map((_, index) => (/^[0-9a-f]{40,64}$/.test(lines[index] ?? '') ? lines[index]! : null));
  };
  return {
    async head() {
      const [commit] = await resolveCommits(['HEAD']);
      return commit ?? null;
    },
    async trackedFiles() {
      return parseTrackedFiles(await ask(['ls-files', '-s', '-v', '-z']));
    },
    async untrackedFiles() {
      return splitNul(await ask(['ls-files', '--others', '--exclude-standard', '-z']));
    },
    async modifiedFiles() {
      return [
        ...new Set(
          splitNul(await ask(checkGitArguments(['diff-files', '--name-only', '--no-renames', '-z']))),
        ),
      ];
    },
    async changedSince(commit) {
      if (!/^[^\n\0\s]+$/.test(commit)) return null;
      const [from, to] = await resolveCommits([commit, 'HEAD']);
      if (!from || !to) return null;
      const result = await git(
        checkGitArguments(['diff-tree', '-r', '--name-only', '--no-renames', '-z', from, to]),
      );
      // A shallow or damaged history may lack the trees in between.
      return result.outcome === 'exited' && result.exitCode === 0 ? splitNul(result.stdout) : null;
    },
    async attributes(names, paths) {
      if (names.length === 0 || paths.length === 0) return new Map();
      const odd = names.find((name) => !/^\w[\w.-]*$/.test(name));
      if (odd !== undefined)
        throw new LoadoutError('git-command-refused', `${odd} is not the name of an attribute`);
      const input = encodePathBytes(`${paths.join('\0')}\0`);
      return parseAttributes(await ask(['check-attr', '-z', '--stdin', ...names], input));
    },
    async run(args, options = {}) {
      return git(checkGitArguments(args), options);
    },
  };
}

/** Git ends its index with a checksum over all of it: 20 bytes, or 32. */
const TAIL_BYTES = 32;

/**
 * Tells whether git's index, and with it the list of tracked files, is the same as at another time, and so are the
 * attributes that are kept beside it; null if that is unknown.
 */
function gitIndexState(gitDirectory: string): string | null {
  let descriptor = -1;
  try {
    descriptor = openSync(join(gitDirectory, 'index'), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const { size } = stats;
    const tail = Buffer.alloc(TAIL_BYTES);
    if (readSync(descriptor, tail, 0, TAIL_BYTES, size - TAIL_BYTES) !== TAIL_BYTES) return null;
    // with `index.skipHash` git writes zeros
    if (tail.subarray(-20).every((byte) => byte === 0)) return null;
    const attributes = lstatSync(join(gitDirectory, 'info/attributes'), { throwIfNoEntry: false });
    return `${size} ${tail.toString('hex')} ${attributes ? `${attributes.size} ${attributes.ctimeMs}` : ''}`;
  } catch {
    return null;
  } finally {
    if (descriptor !== -1) closeSync(descriptor);
  }
}
