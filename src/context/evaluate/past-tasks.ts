import type { CommitObject, GitHistory, PathChange } from '../../platform/git/git-history.ts';
import { decodeMessage } from '../../scan/history/decode-message.ts';

/** A commit as a task: what its message asks for, at the state before it. */
export interface PastTask {
  readonly commit: string;
  readonly parent: string;
  readonly task: string;
  /** Files that were there before and that the commit changed, as they were called then; from the work tree's root. */
  readonly changed: readonly string[];
}

const BATCH = 50;
/** More is a sweep through the code, not a task. */
const MAX_CHANGED = 30;
/** People and tools sign their work; that says nothing about it. */
const TRAILER = /^(?:[A-Z][\w-]+-[bB]y|Change-Id|Reviewed-on|Cr-[\w-]+|git-svn-id): .*$/gm;
const WORD = /[\p{L}\p{N}]{2,}/gu;
const MIN_WORDS = 2;

/** The commits that `head` reaches as tasks, newest first; looks at `limit` commits at most. */
export async function* pastTasks(history: GitHistory, head: string, limit: number): AsyncGenerator<PastTask> {
  const { commits } = await history.list(head, limit);
  // what a shallow clone cut off has no parent to go back to
  const usable = commits.filter(({ parents }) => parents.length === 1);
  for (let start = 0; start < usable.length; start += BATCH) {
    const batch = usable.slice(start, start + BATCH);
    const objects = new Map((await history.objects(batch.map(({ id }) => id))).map((one) => [one.id, one]));
    const changes = new Map<string, readonly PathChange[]>();
    await history.changes(batch, (id, list) => void changes.set(id, list));
    for (const { id, parents } of batch) {
      const changed = existingPaths(changes.get(id) ?? []);
      const task = taskOf(objects.get(id));
      if (changed.length === 0 || changed.length > MAX_CHANGED || task === null) continue;
      yield { commit: id, parent: parents[0]!, task, changed };
    }
  }
}

function existingPaths(changes: readonly PathChange[]): string[] {
  return changes.flatMap(({ kind, path, from }) => (kind === 'added' ? [] : [from ?? path]));
}

function taskOf(commit: CommitObject | undefined): string | null {
  if (!commit) return null;
  const text = decodeMessage(commit.message, commit.encoding).replace(TRAILER, '').trim();
  const words = text.match(WORD)?.length ?? 0;
  return words < MIN_WORDS ? null : text;
}
