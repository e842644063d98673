// What a pull request is about, and which commit it is compared with: from the inputs, the event and the clone.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ActionError } from './runner.mjs';

/** A description may be a book. The task is cut to its share of the budget anyway. */
const MAX_TASK = 20_000;

/** The event that started the workflow; empty where there is none. */
export function readEvent(file) {
  if (!file) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ActionError(`GITHUB_EVENT_PATH: ${JSON.stringify(file)} cannot be read: ${error.message}`);
  }
}

/** The task of a package: the input, else title and description. It is data from the first to the last step. */
export function taskOf(given, { pull_request: pull }) {
  const text = given.trim() === '' ? `${pull?.title ?? ''}\n\n${pull?.body ?? ''}` : given;
  return text.trim().slice(0, MAX_TASK);
}

/** The commit that the change is compared with. Throws with what to do when the clone does not have it. */
export function findBase(folder, given, event) {
  const git = (...args) => askGit(folder, args);
  if (git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}') === null)
    throw new ActionError(
      `${folder} is not a git repository with a commit that git may read: check it out before this step, and see "safe.directory" in a container`,
    );
  const pull = event.pull_request;
  const wanted = given || pull?.base?.sha || event.merge_group?.base_sha || '';
  if (wanted === '')
    throw new ActionError('base: this event has no base commit: set the input "base", such as: base: main');
  const commit = commitOf(git, wanted) ?? (given ? null : mergedInto(git, pull));
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  const deeper = isShallow
    ? ': this clone is shallow. Give actions/checkout "fetch-depth: 0" (or 2, for a pull request)'
    : ': fetch it before this step, or name another one with the input "base"';
  if (commit === null)
    throw new ActionError(`base: the commit ${JSON.stringify(wanted)} is not in the clone${deeper}`);
  // without a common commit the change would be that of the base as well, backwards
  if (git('merge-base', commit, 'HEAD') === null)
    throw new ActionError(`base: ${JSON.stringify(wanted)} and HEAD have no common commit here${deeper}`);
  return commit;
}

/** Files that the change takes away; a package shows what is there. */
export function deletedFiles(folder, base) {
  const fork = askGit(folder, ['merge-base', base, 'HEAD']);
  const names = askGit(folder, ['diff-tree', '-r', '-z', '--name-only', '--diff-filter=D', fork, 'HEAD']);
  return (names ?? '').split('\0').filter((name) => name !== '');
}

function commitOf(git, name) {
  for (const one of [name, `refs/remotes/origin/${name}`]) {
    const found = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${one}^{commit}`);
    if (found !== null && /^[0-9a-f]{40,64}$/.test(found)) return found;
  }
  return null;
}

/** The runner checks out the merge of a pull request: its first parent is the base, maybe a newer one. */
function mergedInto(git, pull) {
  if (!pull?.head?.sha || commitOf(git, 'HEAD^2') !== pull.head.sha) return null;
  return commitOf(git, 'HEAD^1');
}

/** The answer without its line end; null when git says no. Only commands that run nothing of the repository. */
function askGit(folder, args) {
  try {
    const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] };
    return execFileSync('git', ['-c', 'core.fsmonitor=false', ...args], options).trim();
  } catch (error) {
    if (error.code === 'ENOENT') throw new ActionError('git is not on the PATH');
    return null;
  }
}
