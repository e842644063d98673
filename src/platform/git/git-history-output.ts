import { splitNul } from './git-output.ts';

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

export interface PathChange {
  readonly kind: ChangeKind;
  readonly path: string;
  /** Of a renamed file: its path before. */
  readonly from: string | null;
}

const OBJECT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;

export function isObjectId(text: string): boolean {
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
    // where the object ends is not known, and so is where the next one begins
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
