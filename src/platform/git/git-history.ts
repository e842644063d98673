// Reads commits and the paths that they changed, for the history signals and for evaluations.

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessResult } from '../process/process-runner.ts';
import { checkGitArguments } from './git-hardening.ts';
import { type RunGit, splitNul } from './git-runner.ts';

/** Questions about commits. They look at stored objects alone, never at the work tree. */
export interface GitHistory {
  /** Changes whenever the parents of commits may have changed, as when a clone was deepened. */
  bounds(): string;
  /** Commits that `head` reaches, newest first, without merges; `failure` says why there may be more. */
  list(head: string, limit: number): Promise<CommitListing>;
  /** Those that can be read, in the order asked for. */
  objects(ids: readonly string[]): Promise<readonly CommitObject[]>;
  /** Calls `visit` with the changes of each commit against its first parent, as far as they can be read. */
  changes(
    commits: readonly ListedCommit[],
    visit: (id: string, changes: readonly PathChange[]) => void,
  ): Promise<void>;
}

/** Commits that could be listed. */
interface CommitListing {
  readonly commits: readonly ListedCommit[];
  readonly failure: string | null;
}

/** In milliseconds, for one batch. */
const TIMEOUT_MS = 15_000;
/** Commits in one question: bounds the memory that the answer takes. */
const BATCH = 500;
const MAX_BATCH_BYTES = 96 * 1024 * 1024;
/** Each is a commit whose trees cannot be read; a clone without trees has nothing else. */
const MAX_FAILURES = 3;

/** With more sources or targets only files that kept their name or content are paired. */
const SIMILAR_CONTENT = ['-M', '-l100'] as const;
/** Compares ids alone: a clone that left out the contents can still answer. */
const SAME_CONTENT = ['-M100%'] as const;

const CHANGES_QUERY = [
  'diff-tree',
  '--stdin',
  '--always',
  '--root',
  '-r',
  '-z',
  '--name-status',
  '--no-relative',
];

/** Reads commits and the paths they changed. */
export function gitHistory(git: RunGit, gitDirectory: string, commonDirectory: string): GitHistory {
  // From a work tree, git would read files and attributes there to save reading an object. Facts about a commit must
  // come from its objects alone, without replacements, so that they stay true for its id.
  const apart = ['-C', gitDirectory, '--git-dir=.', '--bare', '--no-replace-objects'];
  const ask = (args: readonly string[], input?: string): Promise<ProcessResult> =>
    git([...apart, ...checkGitArguments(args)], {
      timeoutMs: TIMEOUT_MS,
      maxOutputBytes: MAX_BATCH_BYTES,
      ...(input === undefined ? {} : { input: Buffer.from(input) }),
    });

  /** How many of the commits were answered, from the first on. */
  const askChanges = async (
    commits: readonly ListedCommit[],
    renames: readonly string[],
    visit: (id: string, changes: readonly PathChange[]) => void,
  ): Promise<number> => {
    const lines = commits.map(({ id, parents }) => `${[id, ...parents.slice(0, 1)].join(' ')}\n`);
    const result = await ask([...CHANGES_QUERY, ...renames], lines.join(''));
    const answered = [...parseCommitChanges(result.stdout)];
    // git that gives up has printed whole commits; git that was stopped may have been cut off
    if (result.outcome !== 'exited' || result.exitCode === null) answered.pop();
    for (const [id, changes] of answered) visit(id, changes);
    return succeeded(result) ? commits.length : answered.length;
  };

  return {
    bounds() {
      return [join(commonDirectory, 'shallow'), join(commonDirectory, 'info', 'grafts')].map(stamp).join(' ');
    },
    async list(head, limit) {
      if (!isObjectId(head)) return { commits: [], failure: `${head} is not the id of a commit` };
      const result = await ask(['rev-list', '--no-merges', `--max-count=${limit}`, '--parents', head]);
      const failure = succeeded(result) ? null : result.stderr.toString().trim() || result.outcome;
      return { commits: parseListedCommits(result.stdout), failure };
    },
    async objects(ids) {
      const found: CommitObject[] = [];
      for (const batch of inBatches(ids)) {
        const result = await ask(['cat-file', '--batch'], batch.map((id) => `${id}\n`).join(''));
        found.push(...parseCommitObjects(result.stdout));
      }
      return found;
    },
    async changes(commits, visit) {
      let failures = 0;
      let renames: readonly string[] = SIMILAR_CONTENT;
      for (const batch of inBatches(commits)) {
        for (let start = 0; start < batch.length; ) {
          start += await askChanges(batch.slice(start), renames, visit);
          if (start === batch.length) break;
          if (renames === SAME_CONTENT) {
            start++;
            if (++failures === MAX_FAILURES) return;
          }
          renames = SAME_CONTENT;
        }
      }
    },
  };
}

/** git ended by itself and without an error. */
function succeeded({ outcome, exitCode }: ProcessResult): boolean {
  return outcome === 'exited' && exitCode === 0;
}

/** Lists of at most `BATCH` items. */
function inBatches<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / BATCH);
  return Array.from({ length: count }, (_, batch) => items.slice(batch * BATCH, (batch + 1) * BATCH));
}

/** git replaces these files, so that a new content is a new file. */
function stamp(path: string): string {
  try {
    const { ino, size, mtimeNs } = lstatSync(path, { bigint: true });
    return `${ino}.${size}.${mtimeNs}`;
  } catch {
    return '-';
  }
}

/** A commit with the parents that git takes it to have, which a shallow clone cuts off. */
export interface ListedCommit {
  readonly id: string;
  readonly parents: readonly string[];
}

/** A commit as it is stored. */
export interface CommitObject extends ListedCommit {
  /** The name of the encoding that the author's git wrote down; null means UTF-8. */
  readonly encoding: string | null;
  readonly message: Buffer;
}

/** Letters as git prints them; a submodule that moved on is `modified`. */
const CHANGE_KINDS = { A: 'added', D: 'deleted', M: 'modified', R: 'renamed', T: 'retyped' } as const;

type ChangeKind = (typeof CHANGE_KINDS)[keyof typeof CHANGE_KINDS];

/** A path that a commit changed. */
export interface PathChange {
  readonly kind: ChangeKind;
  readonly path: string;
  /** Of a renamed file: its path before. */
  readonly from: string | null;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** Lines of `rev-list --parents`; a line that was cut off is left out. */
export function parseListedCommits(output: Buffer): ListedCommit[] {
  const lines = output.toString('latin1').split('\n').slice(0, -1);
  return lines.map((line) => {
    const [id = '', ...parents] = line.split(' ');
    return { id, parents };
  });
}

/** Whole commits of `cat-file --batch`: `<id> commit <size>`, the object, a newline. */
export function parseCommitObjects(output: Buffer): CommitObject[] {
  const commits: CommitObject[] = [];
  for (let at = 0; ; ) {
    const lineEnd = output.indexOf(10, at);
    if (lineEnd === -1) return commits;
    const [id = '', type, size] = output.toString('latin1', at, lineEnd).split(' ');
    at = lineEnd + 1;
    // `<id> missing` has no size and no object
    if (size === undefined) continue;
    // the end of the object is not known, and so neither is the beginning of the next
    if (!/^\d+$/.test(size)) return commits;
    const end = at + Number(size);
    if (end >= output.length) return commits;
    if (type === 'commit') commits.push(parseCommit(id, output.subarray(at, end)));
    at = end + 1;
  }
}

function parseCommit(id: string, object: Buffer): CommitObject {
  const headEnd = object.indexOf('\n\n');
  const head = object.toString('latin1', 0, headEnd === -1 ? object.length : headEnd);
  const parents: string[] = [];
  let encoding: string | null = null;
  for (const line of head.split('\n')) {
    if (line.startsWith('parent ')) parents.push(line.slice('parent '.length));
    else if (line.startsWith('encoding ')) encoding = line.slice('encoding '.length);
  }
  return { id, parents, encoding, message: object.subarray(headEnd === -1 ? object.length : headEnd + 2) };
}

/** The commits of `diff-tree --stdin --always --name-status -z`, each with its changes, in order. */
export function* parseCommitChanges(output: Buffer): Generator<[id: string, changes: PathChange[]]> {
  const fields = splitNul(output);
  let id = '';
  let changes: PathChange[] = [];
  for (let at = 0; at < fields.length; ) {
    const field = fields[at++]!;
    if (isObjectId(field)) {
      if (id !== '') yield [id, changes];
      id = field;
      changes = [];
      continue;
    }
    const kind = CHANGE_KINDS[field[0] as keyof typeof CHANGE_KINDS] ?? 'modified';
    const from = kind === 'renamed' ? fields[at++]! : null;
    const path = fields[at++];
    if (path !== undefined) changes.push({ kind, path, from });
  }
  if (id !== '') yield [id, changes];
}
