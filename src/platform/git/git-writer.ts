// The few things that a run may write into the user's repository.

import { LoadoutError } from '../../model/loadout-error.ts';
import { gitFailureText, gitOutput, gitRunner, type RunGit } from './git-runner.ts';

/** The only branches that are ever created or deleted here. */
const OWN_BRANCH = /^loadout\/[\w.-]+$/;
const OBJECT_ID = /^[0-9a-f]{40,64}$/;
const MAX_PATCH_BYTES = 64 * 1024 * 1024;
/** The author of Loadout's commits. It also saves git from asking the system and the network who the user is. */
export const WORKER_IDENTITY = {
  GIT_AUTHOR_NAME: 'Loadout worker',
  GIT_AUTHOR_EMAIL: 'worker@loadout.invalid',
  GIT_COMMITTER_NAME: 'Loadout worker',
  GIT_COMMITTER_EMAIL: 'worker@loadout.invalid',
};

/**
 * Writes the few things that a run may write into the user's repository: objects, branches under `loadout/`, and a patch
 * that the user asked for. It writes no other branch, no index, stash or setting, and runs no hook or filter.
 */
export interface GitWriter {
  /** The id of the tree of a commit. */
  treeOf(commit: string): Promise<string>;
  patchBetween(from: string, to: string): Promise<Buffer>;
  /** A commit that no branch names yet. */
  commitTree(tree: string, parent: string, message: string): Promise<string>;
  /** Fails when the branch exists. */
  createBranch(name: string, commit: string): Promise<void>;
  /** Null when the patch fits the user's files as they are, else the reason. Nothing is changed. */
  checkPatch(patch: Buffer): Promise<string | null>;
  applyPatch(patch: Buffer): Promise<void>;
}

/** `mark` marks the processes, so that the clean-up after a killed run finds them. */
export function openGitWriter(workTree: string, mark: Readonly<Record<string, string>> = {}): GitWriter {
  const git = needGit(workTree);
  const env = { ...mark, ...WORKER_IDENTITY };
  const ask = async (args: readonly string[], options: Parameters<RunGit>[1] = {}): Promise<string> =>
    gitOutput(args[0]!, await git(args, { ...options, env: { ...env, ...options.env } }))
      .toString()
      .trim();
  const apply = (options: readonly string[], patch: Buffer) =>
    git(['apply', '--whitespace=nowarn', ...options, '-'], { input: patch, env });
  return {
    treeOf: (commit) => ask(['rev-parse', '--verify', '--quiet', `${objectId(commit)}^{tree}`]),
    async patchBetween(from, to) {
      const options = [
        '-r',
        '-p',
        '--binary',
        '--full-index',
        '--no-renames',
        '--no-ext-diff',
        '--no-textconv',
      ];
      const limits = { maxOutputBytes: MAX_PATCH_BYTES, env };
      return gitOutput(
        'diff-tree',
        await git(['diff-tree', ...options, objectId(from), objectId(to)], limits),
      );
    },
    commitTree: (tree, parent, message) =>
      ask(['commit-tree', objectId(tree), '-p', objectId(parent)], {
        input: Buffer.from(message),
      }),
    async createBranch(name, commit) {
      if (!OWN_BRANCH.test(name))
        throw new LoadoutError('git-command-refused', `${name} is not a branch of Loadout`, {
          subject: name,
        });
      const nothing = '0'.repeat(commit.length);
      await ask(['update-ref', `refs/heads/${name}`, objectId(commit), nothing]);
    },
    async checkPatch(patch) {
      const result = await apply(['--check'], patch);
      return result.outcome === 'exited' && result.exitCode === 0 ? null : gitFailureText(result);
    },
    async applyPatch(patch) {
      gitOutput('apply', await apply([], patch));
    },
  };
}

/** Git for a worker; throws when there is no git program. */
export function needGit(workTree: string): RunGit {
  const git = gitRunner(workTree);
  if (git !== null) return git;
  throw new LoadoutError('no-git-binary', 'no git program is on the PATH', {
    hint: 'install git: a worker needs a work tree of its own',
  });
}

/** Refuses everything but the id of an object: a name could be an option. */
export function objectId(text: string): string {
  if (OBJECT_ID.test(text)) return text;
  throw new LoadoutError('git-command-refused', `${JSON.stringify(text)} is not the id of an object`);
}
