import type { GitHistory } from '../../platform/git/git-history.ts';
import type { CommitObject, ListedCommit } from '../../platform/git/git-history-output.ts';
import { type CommitRecord, keptChanges } from './commit-record.ts';
import { decodeMessage } from './decode-message.ts';
import { messageWords } from './message-words.ts';

export interface CommitsRead {
  readonly records: readonly CommitRecord[];
  /** How many commits could not be read and should have been. */
  readonly unread: number;
}

/** Reads these commits, in this order. What lies at the edge of a shallow clone has no known changes: left out. */
export async function readCommits(
  history: GitHistory,
  listed: readonly ListedCommit[],
): Promise<CommitsRead> {
  if (listed.length === 0) return { records: [], unread: 0 };
  const objects = new Map<string, CommitObject>();
  for (const object of await history.objects(listed.map(({ id }) => id))) objects.set(object.id, object);
  const readable = listed.filter((commit) => {
    const object = objects.get(commit.id);
    return object !== undefined && object.parents.join() === commit.parents.join();
  });
  const records = new Map<string, CommitRecord>();
  await history.changes(readable, (id, changes) => {
    const { message, encoding } = objects.get(id)!;
    const words = messageWords(decodeMessage(message, encoding));
    records.set(id, { id, ...words, fileCount: changes.length, changes: keptChanges(changes) });
  });
  return {
    records: readable.flatMap(({ id }) => records.get(id) ?? []),
    unread: readable.length - records.size + listed.length - objects.size,
  };
}
