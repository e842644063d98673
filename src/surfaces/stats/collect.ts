// Everything that `loadout stats` shows: the answers of hooks and the runs of workers, by repository and week.

import { realpathSync } from 'node:fs';
import { LoadoutError } from '../../model/loadout-error.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { listHookRepositories } from '../hook/index.ts';
import { type LoopFacts, type LoopTotals, loopTotalsOf, readLoop } from './loops.ts';
import { type RunFacts, type RunTotals, readRuns, runTotalsOf } from './runs.ts';
import { type HookSession, type Miss, readSessions, type SessionAnswer } from './sessions.ts';
import { type AnswerTotals, answersSince, totalsOf, type WeekTotals, weeksOf } from './totals.ts';

/** The repositories and the period to report on. */
export interface StatsRequest {
  readonly cacheDirectory: string;
  /** Real paths of the repositories to report on; null for all on this machine. */
  readonly repositories: readonly string[] | null;
  /** The repository around the current directory. An earlier version may have created its log. */
  readonly own: string;
  readonly sinceMs: number;
  /** Number of weeks to list; the last one contains `nowMs`. */
  readonly weeks: number;
  readonly nowMs: number;
}

/** A miss with the prompt that led to it. */
interface ListedMiss extends Miss {
  readonly repository: string;
  readonly prompt: string;
  /** False when the hook was silent about the prompt. */
  readonly spoke: boolean;
}

/** The numbers of one repository. */
interface RepositoryStats {
  readonly repository: string;
  readonly totals: AnswerTotals;
  readonly runs: RunTotals;
  /** Its loop; null when it has none. */
  readonly loop: LoopFacts | null;
}

/** The statistics of hooks and runs on this machine. */
export interface StatsReport {
  /** ISO time. */
  readonly since: string;
  readonly totals: AnswerTotals;
  /** Oldest first. */
  readonly weeks: readonly WeekTotals[];
  /** Those with any record, most answers first. */
  readonly repositories: readonly RepositoryStats[];
  readonly runs: RunTotals;
  readonly loops: LoopTotals;
  /** Newest first; only the newest ones. */
  readonly misses: readonly ListedMiss[];
  readonly sessions: readonly (HookSession & { readonly repository: string })[];
  /** Records that are not counted, and why. */
  readonly notes: readonly string[];
}

/** The sums are over all of them; only lists are cut. */
const MAX_SESSIONS = 200;
const MAX_MISSES = 100;

/** Reads the records and sums them up. */
export function collectStats(request: StatsRequest): StatsReport {
  const { cacheDirectory, sinceMs, weeks, nowMs, own } = request;
  const known = listHookRepositories(cacheDirectory, own);
  const paths = request.repositories ?? [...new Set([...known.paths, own])];
  const notes: string[] = [];
  const all = paths.map((repository) => {
    const sessions = readSessions(cacheDirectory, repository);
    const { runs, leftOut, loop } = workOf(repository, sinceMs);
    if (leftOut > 0) notes.push(`${leftOut} older runs of ${repository} are not counted`);
    return { repository, sessions, runs, loop, answers: answersSince(sessions, sinceMs) };
  });
  const answers = all.flatMap((one) => one.answers);
  if (request.repositories === null && known.unnamed > 0)
    notes.push(
      `${known.unnamed} logs of an earlier version do not name their repository; name it with --repo to see them`,
    );
  const shown = all
    .flatMap(({ repository, sessions }) => sessions.map((session) => ({ repository, ...session })))
    .filter(({ endedAt }) => Date.parse(endedAt) >= sinceMs)
    .sort((a, b) => (a.endedAt < b.endedAt ? 1 : a.endedAt > b.endedAt ? -1 : 0));
  if (shown.length > MAX_SESSIONS)
    notes.push(`${shown.length - MAX_SESSIONS} older sessions are counted and not listed`);
  return {
    since: new Date(sinceMs).toISOString(),
    totals: totalsOf(answers),
    weeks: weeksOf(answers, weeks, nowMs),
    repositories: all
      .filter((one) => one.answers.length > 0 || one.runs.length > 0 || one.loop !== null)
      .map(({ repository, answers: own, runs, loop }) => ({
        ...{ repository, totals: totalsOf(own), runs: runTotalsOf(runs), loop },
      }))
      .sort((a, b) => b.totals.answers - a.totals.answers || (a.repository < b.repository ? -1 : 1)),
    runs: runTotalsOf(all.flatMap(({ runs }) => runs)),
    loops: loopTotalsOf(all.flatMap(({ loop }) => loop ?? [])),
    misses: all
      .flatMap(({ repository, answers: own }) => own.flatMap((answer) => missesIn(repository, answer)))
      .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
      .slice(0, MAX_MISSES),
    sessions: shown.slice(0, MAX_SESSIONS),
    notes,
  };
}

function missesIn(repository: string, { misses, prompt, spoke }: SessionAnswer): readonly ListedMiss[] {
  return misses.map((miss) => ({ ...miss, repository, prompt, spoke }));
}

/** The work of agents that Loadout has started in a repository. */
interface RepositoryWork {
  readonly runs: readonly RunFacts[];
  /** Older runs that were not read. */
  readonly leftOut: number;
  readonly loop: LoopFacts | null;
}

/** Empty for a repository that was removed. */
function workOf(repository: string, sinceMs: number): RepositoryWork {
  const none = { runs: [], leftOut: 0, loop: null };
  try {
    // A folder that has become a link to another one is not the repository of the records.
    if (realpathSync(repository) !== repository) return none;
    return { ...readRuns(openSafeRoot(repository), sinceMs), loop: readLoop(repository, sinceMs) };
  } catch (error) {
    if (error instanceof LoadoutError || (error as NodeJS.ErrnoException).code !== undefined) return none;
    throw error;
  }
}
