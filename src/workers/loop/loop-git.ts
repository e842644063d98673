// The git calls of a loop. Object ids are checked before they become arguments.
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '../../platform/clock.ts';
import { encodePathBytes } from '../../platform/fs/path-codec.ts';
import { gitOutput, type RunGit, splitNul } from '../../platform/git/git-runner.ts';
import { needGit, objectId } from '../../platform/git/git-writer.ts';

/** A file in a tree. */
interface TreeEntry {
  readonly mode: string;
  readonly blob: string;
}

/** The content of files, by path. */
export type FileTexts = ReadonlyMap<string, string | Buffer>;

/** The calls of git that only the loop needs: trees with the loop's files in them, and moves of the user's branch. */
export interface LoopGit {
  /** `refs/heads/...`, or null when no branch is checked out. */
  branch(): Promise<string | null>;
  /** The main branch of the remote, or null. */
  remoteMain(): Promise<string | null>;
  /** The commit that is checked out; null in a repository without commits. */
  head(): Promise<string | null>;
  /** Files that differ between commit, index and work tree, and untracked files. */
  changedFiles(): Promise<readonly string[]>;
  /** Files below these folders that git tracks. */
  trackedIn(folders: readonly string[]): Promise<readonly string[]>;
  /** Those of the files that are on disk and that git does not track, ignored or not. */
  untracked(files: readonly string[]): Promise<readonly string[]>;
  /** Whether git accepts the text as the name of a branch. */
  isBranchName(name: string): Promise<boolean>;
  /** The commit of a branch, or null. */
  branchHead(name: string): Promise<string | null>;
  /** Makes a branch at the commit that is checked out, and switches to it. Files and index stay as they are. */
  leaveFor(name: string, commit: string): Promise<void>;
  /** Undoes `leaveFor`: switches back to a branch, or to the commit when it is null, and removes the new branch. */
  comeBack(branch: string | null, name: string, commit: string): Promise<void>;
  /** Paths that differ between two commits. */
  changedBetween(from: string, to: string): Promise<readonly string[]>;
  /** The file at a path of a tree; null when there is none, or when it is a folder. */
  entry(tree: string, path: string): Promise<TreeEntry | null>;
  /** The content of a regular file in a tree; null when there is none, or when it is too large, a link or a folder. */
  readFile(tree: string, path: string, maxBytes: number): Promise<Buffer | null>;
  /** The tree with these files in it. git works in `indexFile`. */
  treeWith(tree: string, files: FileTexts, indexFile: string): Promise<string>;
  /** The tree `to` without its changes since `from` at the paths that `isUndone` accepts, and these paths. */
  withoutChanges(
    from: string,
    to: string,
    isUndone: (path: string) => boolean,
    indexFile: string,
  ): Promise<{ readonly tree: string; readonly undone: readonly string[] }>;
  /** The id that the content of a file in the work tree would have; null when it is not a readable file. */
  blobOf(path: string): Promise<string | null>;
  /** Whether `of` has the commit in its history. */
  isAncestor(commit: string, of: string): Promise<boolean>;
  /** Brings files and index from one commit to another. Refuses to overwrite files that are not in the first. */
  moveFiles(from: string, to: string): Promise<void>;
  /** The same, whatever state an interrupted move has left. */
  forceFiles(to: string): Promise<void>;
  /** Fails when the branch is no longer at `from`. */
  moveBranch(branch: string, from: string, to: string): Promise<void>;
}

/** A git process that outlived the loop that started it ends within this time. */
const LOCK_WAIT_MS = 5_000;

/** Opens git for a work tree. Calls wait when another git process holds a lock. */
export function openLoopGit(workTree: string): LoopGit {
  const run = patient(needGit(workTree));
  // Throws when git fails.
  const ask = async (args: readonly string[], options: Parameters<RunGit>[1] = {}): Promise<string> =>
    gitOutput(args[0]!, await run(args, options)).toString('utf8');
  // For output with a NUL after each name.
  const names = async (args: readonly string[]): Promise<string[]> =>
    (await ask(args)).split('\0').filter((name) => name !== '');
  // For questions that git answers with an exit code: nothing is a valid answer.
  const orNull = async (args: readonly string[]): Promise<string | null> => {
    const result = await run(args);
    const text = result.stdout.toString().trim();
    return result.outcome === 'exited' && result.exitCode === 0 && text !== '' ? text : null;
  };
  const entry = async (tree: string, path: string): Promise<TreeEntry | null> => {
    const [line = ''] = await names(['ls-tree', '-z', objectId(tree), '--', path]);
    const [, mode, type, blob] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(line) ?? [];
    return mode && blob && type === 'blob' ? { mode, blob } : null;
  };
  return {
    branch: () => orNull(['symbolic-ref', '--quiet', 'HEAD']),
    remoteMain: () => orNull(['symbolic-ref', '--quiet', '--short', 'refs/remotes/origin/HEAD']),
    head: () => orNull(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']),
    async changedFiles() {
      // So that a file with a new date and the same content does not count as changed. Exit code 1 is fine.
      await run(['update-index', '-q', '--refresh']);
      const options = ['--name-only', '--no-renames', '--ignore-submodules=all', '-z'];
      const lists = await Promise.all([
        names(['diff-files', ...options]),
        names(['diff-index', '--cached', ...options, 'HEAD']),
        names(['ls-files', '--others', '--exclude-standard', '-z']),
      ]);
      return [...new Set(lists.flat())].sort();
    },
    trackedIn: (folders) => names(['ls-files', '--cached', '-z', '--', ...folders]),
    untracked: (files) => names(['ls-files', '--others', '-z', '--', ...files]),
    isBranchName: async (name) => (await orNull(['check-ref-format', '--branch', name])) === name,
    branchHead: (name) => orNull(['rev-parse', '--verify', '--quiet', `refs/heads/${name}`]),
    async leaveFor(name, commit) {
      const branch = `refs/heads/${name}`;
      // The old value of zeros makes git refuse when the branch exists by now.
      const nothing = '0'.repeat(commit.length);
      await ask(['update-ref', '-m', 'loadout loop', branch, objectId(commit), nothing]);
      await ask(['symbolic-ref', '-m', 'loadout loop', 'HEAD', branch]);
    },
    async comeBack(branch, name, commit) {
      const to = objectId(commit);
      if (branch === null) await ask(['update-ref', '--no-deref', '-m', 'loadout loop', 'HEAD', to]);
      else await ask(['symbolic-ref', '-m', 'loadout loop', 'HEAD', branch]);
      await ask(['update-ref', '-d', `refs/heads/${name}`, to]);
    },
    changedBetween: (from, to) =>
      names(['diff-tree', '-r', '--name-only', '--no-renames', '-z', objectId(from), objectId(to)]),
    entry,
    async readFile(tree, path, maxBytes) {
      const found = await entry(tree, path);
      if (found === null || !found.mode.startsWith('100')) return null;
      if (Number(await ask(['cat-file', '-s', found.blob])) > maxBytes) return null;
      return gitOutput('cat-file', await run(['cat-file', 'blob', found.blob]));
    },
    async treeWith(tree, files, indexFile) {
      const env = { GIT_INDEX_FILE: indexFile };
      const store = async ([path, content]: readonly [string, string | Buffer]): Promise<string> => {
        const blob = await ask(['hash-object', '-w', '--stdin'], { input: Buffer.from(content) });
        return `100644 ${objectId(blob.trim())}\t${path}\0`;
      };
      const [, ...lines] = await Promise.all([
        ask(['read-tree', objectId(tree)], { env }),
        ...[...files].map(store),
      ]);
      const input = Buffer.from(lines.join(''));
      await ask(['update-index', '--add', '--replace', '-z', '--index-info'], { env, input });
      return (await ask(['write-tree'], { env })).trim();
    },
    async withoutChanges(from, to, isUndone, indexFile) {
      const args = ['diff-tree', '-r', '--raw', '--no-abbrev', '--no-renames', '-z'];
      const fields = splitNul(gitOutput('diff-tree', await run([...args, objectId(from), objectId(to)])));
      const changes = fields.flatMap((field, at) => {
        const [mode, , blob] = field.slice(1).split(' ');
        return at % 2 === 0 && isUndone(fields[at + 1]!) ? [{ mode, blob, path: fields[at + 1]! }] : [];
      });
      if (changes.length === 0) return { tree: to, undone: [] };
      // Removed files come first, because they make room for folders of the same name.
      const lines = changes.map(
        ({ mode, blob, path }) => `${mode === '000000' ? '0' : mode} ${blob}\t${path}\0`,
      );
      const env = { GIT_INDEX_FILE: indexFile };
      await ask(['read-tree', objectId(to)], { env });
      const input = encodePathBytes(lines.sort().join(''));
      await ask(['update-index', '--add', '--replace', '-z', '--index-info'], { env, input });
      return { tree: (await ask(['write-tree'], { env })).trim(), undone: changes.map(({ path }) => path) };
    },
    blobOf: (path) => orNull(['hash-object', '--no-filters', '--', path]),
    async isAncestor(commit, of) {
      const result = await run(['merge-base', '--is-ancestor', objectId(commit), objectId(of)]);
      return result.outcome === 'exited' && result.exitCode === 0;
    },
    async moveFiles(from, to) {
      await ask(['read-tree', '-m', '-u', objectId(from), objectId(to)]);
    },
    async forceFiles(to) {
      await ask(['read-tree', '--reset', '-u', objectId(to)]);
    },
    async moveBranch(branch, from, to) {
      const result = await run(['update-ref', '-m', 'loadout loop', branch, objectId(to), objectId(from)]);
      // A git process that outlived a killed loop may have moved it already.
      if (result.exitCode !== 0 && (await orNull(['rev-parse', '--verify', '--quiet', branch])) === to)
        return;
      gitOutput('update-ref', result);
    },
  };
}

/** Waits while another git process holds a lock: a killed loop may have left it running. */
function patient(git: RunGit): RunGit {
  return async (args, options) => {
    const deadline = monotonicMs() + LOCK_WAIT_MS;
    for (;;) {
      const result = await git(args, options);
      const isLocked = result.exitCode !== 0 && /\.lock'?: File exists/.test(result.stderr.toString());
      if (!isLocked || monotonicMs() >= deadline) return result;
      await sleep(50);
    }
  };
}
