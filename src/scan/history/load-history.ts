import { type CommitHistory, emptyHistory } from '../../model/commit-history.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { prefixBelow } from '../../platform/fs/prefix-below.ts';
import type { GitHistory } from '../../platform/git/git-history.ts';
import type { HeadList, StoredHistory } from '../format/history-codec.ts';
import type { Repository } from '../repository.ts';
import { assembleHistory } from './assemble-history.ts';
import { tableOf } from './commit-record.ts';
import {
  allCommits,
  arrangeHistory,
  findListedCommits,
  type ListKey,
  readHistoryCache,
  writeHistoryCache,
} from './history-cache.ts';
import { joinTables, whole } from './join-tables.ts';
import { readCommits } from './read-commits.ts';

export interface HistoryOptions {
  /** How many commits to look at, newest first. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** What was asked for before it was needed. */
const ahead = new WeakMap<Repository, AheadHistory>();

interface AheadHistory {
  readonly limit: number;
  readonly history: Promise<CommitHistory>;
}

/** Begins to load the history of the head that the repository was opened with; `loadHistory` takes it from there. */
export function readHistoryAhead(repository: Repository, options: HistoryOptions): void {
  const history = loadHistory(repository, repository.git?.headAtOpening ?? null, options);
  // whoever takes it hears of it
  history.catch(() => {});
  ahead.set(repository, { limit: options.limit, history });
}

function takeAhead(repository: Repository, headSha: string | null, limit: number) {
  const begun = ahead.get(repository);
  ahead.delete(repository);
  const isSame = begun?.limit === limit && headSha === repository.git?.headAtOpening;
  return isSame ? begun.history : null;
}

/**
 * The commits that `headSha` reaches. What was read once is kept by commit id in the index folder, and so is the list of
 * each head: nothing is asked of git while the head stays where it is. Only what this head reaches is in the answer.
 */
export async function loadHistory(
  repository: Repository,
  headSha: string | null,
  options: HistoryOptions,
): Promise<CommitHistory> {
  const begun = takeAhead(repository, headSha, options.limit);
  if (begun) return begun;
  const { git, cache, root } = repository;
  const prefix = git === null ? null : prefixBelow(git.workTree, root.path);
  if (git === null || prefix === null || headSha === null || options.limit < 1) return emptyHistory();
  const wanted = { head: headSha, bounds: git.history.bounds(), limit: options.limit };
  const kept = findListedCommits(cache, wanted);
  if (kept) return assembleHistory(kept.table, prefix, remarks(kept.list));

  const { history, failure } = await readOn(git.history, readHistoryCache(cache), wanted, options.signal);
  const diagnostics = failure === null ? remarks(history.lists[0]!) : [unreadable(failure)];
  if (failure === null) diagnostics.push(...keep(repository, history));
  return assembleHistory(history.current, prefix, diagnostics);
}

/** What is kept, and the commits that are not, with the list of `wanted` first. */
async function readOn(
  git: GitHistory,
  kept: StoredHistory | null,
  wanted: ListKey,
  signal: AbortSignal | undefined,
): Promise<{ readonly history: StoredHistory; readonly failure: string | null }> {
  signal?.throwIfAborted();
  const { commits: listed, failure } = await git.list(wanted.head, wanted.limit);
  signal?.throwIfAborted();
  const known = kept === null ? tableOf([]) : allCommits(kept);
  const places = new Map(known.ids.map((id, place) => [id, place]));
  const unknown = listed.filter(({ id }) => !places.has(id));
  const { records, unread } = await readCommits(git, unknown);
  signal?.throwIfAborted();
  for (const { id } of records) places.set(id, places.size);
  const table = joinTables([whole(known), whole(tableOf(records))]);
  const commits = Uint32Array.from(listed.flatMap(({ id }) => places.get(id) ?? []));
  const list: HeadList = { ...wanted, unread, commits };
  return { history: arrangeHistory(table, list, kept?.lists ?? []), failure };
}

/** A cache that cannot be written costs time and changes no answer. */
function keep({ cache }: Repository, history: StoredHistory): Diagnostic[] {
  try {
    writeHistoryCache(cache, history);
    return [];
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    return [{ code: 'history-not-kept', severity: 'info', message: error.message }];
  }
}

function remarks({ unread, commits }: HeadList): Diagnostic[] {
  if (unread === 0) return [];
  const message = `${unread} of ${unread + commits.length} commits cannot be read: parts of the history are missing here`;
  return [{ code: 'history-incomplete', severity: 'info', message }];
}

function unreadable(failure: string): Diagnostic {
  return {
    code: 'history-unreadable',
    severity: 'warning',
    message: `git cannot list the commits: ${failure}`,
  };
}
