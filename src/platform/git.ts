import { LoadoutError } from '../model/loadout-error.ts';
import { checkGitArguments } from './git-allow-list.ts';
import { gitFailureText, gitOutput } from './git-failure.ts';
import { type GitHistory, gitHistory } from './git-history.ts';
import { parseAttributes, parseTrackedFiles, splitNul } from './git-output.ts';
import { type GitRunOptions, gitRunner, type RunGit } from './git-runner.ts';
import { locateRepository } from './locate-repository.ts';
import { decodePath, encodePathBytes } from './path-codec.ts';
import type { ProcessResult } from './process-runner.ts';

export interface GitFile {
  readonly path: string;
  readonly blob: string;
  readonly mode: 'file' | 'executable' | 'symlink' | 'submodule';
  /** False where git was told not to look at the work tree, and for files in conflict. */
  readonly trustStat: boolean;
}

/** Questions to git about one work tree. Nothing is written, nothing the repository names is run. */
export interface GitDoor {
  readonly workTree: string;
  readonly gitDirectory: string;
  /** Shared by all work trees of the repository. */
  readonly commonDirectory: string;
  readonly history: GitHistory;
  /** The commit, or null on a branch without one. */
  head(): Promise<string | null>;
  trackedFiles(): Promise<readonly GitFile[]>;
  /** Without ignored files. A nested repository is listed as one folder, `name/`. */
  untrackedFiles(): Promise<readonly string[]>;
  /** Tracked files whose state on disk differs from the index, deleted ones included. */
  modifiedFiles(): Promise<readonly string[]>;
  /** Files that differ between a commit and HEAD; null when that cannot be told. */
  changedSince(commit: string): Promise<readonly string[] | null>;
  /** For each path the attributes that are specified there: `set`, `unset` or a value. */
  attributes(
    names: readonly string[],
    paths: readonly string[],
  ): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>>;
  /** Any other read-only plumbing command; everything else is refused. */
  run(args: readonly string[], options?: GitRunOptions): Promise<ProcessResult>;
}

export type GitAbsence = 'no-git-binary' | 'not-a-repository' | 'bare-repository' | 'refused';

export type GitOpening =
  | { readonly kind: 'git'; readonly door: GitDoor }
  | { readonly kind: 'none'; readonly reason: GitAbsence; readonly detail: string };

const OPEN_TIMEOUT_MS = 10_000;
/** The first version that takes settings from the environment, which switches off filters of any name. */
const OLDEST_VERSION = [2, 31] as const;

/** Opens the repository whose work tree holds `directory`. */
export async function openGit(directory: string): Promise<GitOpening> {
  const place = locateRepository(directory);
  if (place.kind !== 'found') return none(place.kind, place.detail);
  const { workTree, gitDirectory } = place;
  const git = gitRunner(workTree);
  if (git === null) return none('no-git-binary', 'no git program is on the PATH');
  const query = [
    'rev-parse',
    '--show-toplevel',
    '--absolute-git-dir',
    '--path-format=absolute',
    '--git-common-dir',
  ];
  const limits = { timeoutMs: OPEN_TIMEOUT_MS };
  const [version, answer] = await Promise.all([git(['version'], limits), git(query, limits)]);
  if (version.outcome === 'not-found') return none('no-git-binary', version.stderr.toString());
  if (isTooOld(version.stdout.toString())) {
    return none('refused', `${version.stdout.toString().trim()} is older than ${OLDEST_VERSION.join('.')}`);
  }
  if (answer.exitCode !== 0) {
    const detail = gitFailureText(answer);
    return none(detail.includes('must be run in a work tree') ? 'bare-repository' : 'refused', detail);
  }
  const output = decodePath(answer.stdout);
  // `core.worktree` in a hostile repository could make any folder of the machine the work tree.
  const expected = `${workTree}\n${gitDirectory}\n`;
  if (!output.startsWith(expected)) {
    return none('refused', `git takes ${output.split('\n')[0]} for the work tree, not ${workTree}`);
  }
  const commonDirectory = output.slice(expected.length).replace(/\n$/, '');
  const history = gitHistory(git, gitDirectory, commonDirectory);
  return { kind: 'git', door: { workTree, gitDirectory, commonDirectory, history, ...questions(git) } };
}

function none(reason: GitAbsence, detail: string): GitOpening {
  return { kind: 'none', reason, detail };
}

function isTooOld(versionLine: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(versionLine) ?? [];
  return (
    Number(major) < OLDEST_VERSION[0] ||
    (Number(major) === OLDEST_VERSION[0] && Number(minor) < OLDEST_VERSION[1])
  );
}

function questions(git: RunGit): Omit<GitDoor, 'workTree' | 'gitDirectory' | 'commonDirectory' | 'history'> {
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
