// The tree that a worker starts from: the last commit, the staged changes, or the files on disk. Trees are built in an
// index of our own. The user's index is only read.
import { type Role, STAGED_DIFF } from '../../context/roles/index.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { encodePathBytes } from '../../platform/fs/path-codec.ts';
import type { GitClient } from '../../platform/git/git.ts';
import { snapshotWorkTree } from '../../platform/git/git-run-tree.ts';
import { gitOutput, splitNul } from '../../platform/git/git-runner.ts';
import { needGit } from '../../platform/git/git-writer.ts';
import { RUN_VARIABLE } from '../../platform/process/contained-process.ts';
import type { PreparedRun } from '../prepare-run.ts';
import type { RunRequest } from '../run-request.ts';
import type { TreePlace } from './tree-place.ts';

/** The tree that a worker starts from. */
interface StagedStart {
  /** Null when it starts from the last commit as it is. */
  readonly tree: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the tree that a worker starts from: the files on disk when the request shows a change; what is staged when the request
 * or the role asks for it; else the last commit.
 */
export async function findStaged(
  { staged, change }: Pick<RunRequest, 'staged' | 'change'>,
  { role, git, commit }: Pick<PreparedRun, 'role' | 'git' | 'commit'>,
  place: TreePlace,
  run: string,
): Promise<StagedStart> {
  if (change !== undefined) return { tree: await writeDiskTree(git, place, run, commit), diagnostics: [] };
  if (!(staged ?? isShownStaged(role))) return { tree: null, diagnostics: [] };
  const files = await readStaged(git, commit);
  if (files.unmerged.length > 0 && staged !== true)
    return fromCommit('warning', 'files are in conflict: the worker started from the last commit');
  if (files.entries.length + files.unmerged.length > 0)
    return { tree: await writeStagedTree(place, run, commit, files), diagnostics: [] };
  if (staged === true || asksForDiff(role))
    return fromCommit('info', 'nothing is staged: the worker started from the last commit');
  return { tree: null, diagnostics: [] };
}

/** Whether the role's prompt shows staged changes. Then its work tree has them, too. */
function isShownStaged({ context }: Pick<Role, 'context'>): boolean {
  return context.gitDiff || asksForDiff({ context });
}

/** Whether the files of the role include the staged diff itself. */
function asksForDiff({ context }: Pick<Role, 'context'>): boolean {
  const include: readonly string[] = context.include;
  return include.includes(STAGED_DIFF);
}

/** Starts from the last commit, and says why. */
function fromCommit(severity: Diagnostic['severity'], message: string): StagedStart {
  return { tree: null, diagnostics: [{ code: 'nothing-staged', severity, message }] };
}

/** The changes that the user has staged on top of a commit. */
interface StagedFiles {
  readonly entries: readonly { readonly mode: string; readonly blob: string; readonly path: string }[];
  /** Files in conflict: no tree can be made of them. */
  readonly unmerged: readonly string[];
}

/** git writes zeros for a file that is gone. */
const NO_BLOB = /^0+$/;
/** `git add --intent-to-add` promises content that is not there yet. */
const HIDE_PROMISED = '--ita-invisible-in-index';

/** Reads the user's index, which is never written. */
async function readStaged(git: GitClient, commit: string): Promise<StagedFiles> {
  const args = [
    'diff-index',
    '--cached',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    HIDE_PROMISED,
    '-z',
    commit,
  ];
  const fields = splitNul(gitOutput('diff-index', await git.run(args)));
  const entries: { mode: string; blob: string; path: string }[] = [];
  const unmerged: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, mode = '', , blob = '', status = ''] = fields[at]!.split(' ');
    const path = fields[at + 1]!;
    if (status === 'U') unmerged.push(path);
    else entries.push({ mode, blob, path });
  }
  return { entries, unmerged };
}

/** Makes the tree of a commit with what is staged on top of it, in an index of our own. */
async function writeStagedTree(
  place: TreePlace,
  run: string,
  commit: string,
  { entries, unmerged }: StagedFiles,
): Promise<string> {
  if (unmerged.length > 0) throw inConflict(unmerged);
  // Swept like any half-written file when this process is killed here.
  const index = `staged-${run}.tmp`;
  const git = needGit(place.root);
  const env = { [RUN_VARIABLE]: run, GIT_INDEX_FILE: place.indexes.filePath(index) };
  const ask = async (args: readonly string[], input?: Buffer) =>
    gitOutput(args[0]!, await git(args, { env, ...(input === undefined ? {} : { input }) }));
  // Files that go make room for folders of the same name.
  const sorted = [...entries].sort((one, other) => Number(isGone(other)) - Number(isGone(one)));
  const lines = sorted.map(({ mode, blob, path }) => `${mode.replace(/^0+$/, '0')} ${blob}\t${path}\0`);
  try {
    await ask(['read-tree', commit]);
    await ask(['update-index', '--replace', '-z', '--index-info'], encodePathBytes(lines.join('')));
    return (await ask(['write-tree'])).toString().trim();
  } finally {
    place.indexes.remove(index);
    place.indexes.remove(`${index}.lock`);
  }
}

/** Makes a tree of the user's files as they are on disk; null when they are those of the commit. */
async function writeDiskTree(
  git: GitClient,
  place: TreePlace,
  run: string,
  commit: string,
): Promise<string | null> {
  const unmerged = splitNul(gitOutput('ls-files', await git.run(['ls-files', '--unmerged', '-z'])));
  if (unmerged.length > 0)
    throw inConflict([...new Set(unmerged.map((line) => line.slice(line.indexOf('\t') + 1)))]);
  const index = `disk-${run}.tmp`;
  try {
    const mark = { [RUN_VARIABLE]: run };
    const { tree } = await snapshotWorkTree(
      place.root,
      git.gitDirectory,
      place.indexes.filePath(index),
      mark,
    );
    const own = await git.run(['rev-parse', '--verify', '--quiet', `${commit}^{tree}`]);
    return gitOutput('rev-parse', own).toString().trim() === tree ? null : tree;
  } finally {
    place.indexes.remove(index);
    place.indexes.remove(`${index}.lock`);
  }
}

const isGone = ({ blob }: StagedFiles['entries'][number]): boolean => NO_BLOB.test(blob);

/** A conflict has several versions of a file, and none of them is staged. */
function inConflict(paths: readonly string[]): LoadoutError {
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : '';
  return new LoadoutError(
    'index-in-conflict',
    `${paths[0]}${more} is in conflict, and a worker cannot start from that`,
    {
      subject: paths[0]!,
      hint: 'resolve it, or start from the last commit with --no-staged',
    },
  );
}
