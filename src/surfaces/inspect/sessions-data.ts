// The data of the view Sessions: what each hook added or why it was silent, and what the agent then read and edited.

import type { Settings } from '../../config/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { safeData } from '../../redact/index.ts';
import { object } from '../../schema/object-schema.ts';
import { integer, maybe } from '../../schema/schema.ts';
import { valueOrUndefined } from '../../schema/value-issues.ts';
import {
  type AnswerTotals,
  answersSince,
  type HookSession,
  readSessions,
  type SessionAnswer,
  totalsOf,
  weeksBack,
} from '../stats/index.ts';

/** A file that an agent used in a session. */
interface UsedFile {
  readonly path: string;
  readonly reads: number;
  readonly edits: number;
  /** False when no hook had told the session of it before. */
  readonly wasTold: boolean;
}

/** One session with its answers. */
interface SessionRow {
  readonly client: string;
  /** The client's id; empty when it sends none. */
  readonly id: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly totals: AnswerTotals;
  /** The last ones, in the order in which they were given. */
  readonly answers: readonly SessionAnswer[];
  /** Earlier answers that are counted and not listed. */
  readonly answersLeftOut: number;
  /** Those with edits first, then those with the most reads. */
  readonly files: readonly UsedFile[];
}

/** Everything that the view Sessions shows. */
export interface SessionsData {
  /** False when the setting `hookRecords` is off, so that nothing new is recorded. */
  readonly isRecording: boolean;
  readonly totals: AnswerTotals;
  /** Newest first. */
  readonly sessions: readonly SessionRow[];
  readonly sessionsLeftOut: number;
}

/** Where the records are, and from when on they are shown. */
interface SessionsRequest {
  readonly cacheDirectory: string;
  /** The real path of the repository. */
  readonly repository: string;
  readonly sinceMs: number;
  readonly isRecording: boolean;
}

const MAX_SESSIONS = 100;
const MAX_ANSWERS = 200;
const MAX_PLACES = 200;
const MAX_FILES = 200;

/** As long as records are kept. */
const DEFAULT_WEEKS = 13;

const sessionsQuery = object(
  { title: 'Question about sessions' },
  { weeks: maybe(integer({ min: 1, max: 53 }, 'a number of weeks')) },
);

/** The answer for the page: the sessions of so many weeks, this one included. */
export const sessionsRoute = {
  path: 'sessions',
  answer: (
    { repo, settings }: { readonly repo: string; readonly settings: Settings },
    query: unknown,
  ): SessionsData => {
    const asked = valueOrUndefined(sessionsQuery, query ?? {});
    if (asked === undefined)
      throw new LoadoutError('bad-question', 'weeks must be a whole number from 1 to 53', {
        subject: 'weeks',
      });
    return sessionsData({
      cacheDirectory: settings.cacheDir,
      repository: repo,
      sinceMs: weeksBack(wallClockMs(), asked.weeks ?? DEFAULT_WEEKS),
      isRecording: settings.hookRecords !== 'off',
    });
  },
};

/** Reads the records of a repository. Scans nothing. */
export function sessionsData(request: SessionsRequest): SessionsData {
  const { cacheDirectory, repository, sinceMs, isRecording } = request;
  const sessions = readSessions(cacheDirectory, repository).filter(
    ({ endedAt }) => Date.parse(endedAt) >= sinceMs,
  );
  return safeData({
    isRecording,
    totals: totalsOf(answersSince(sessions, sinceMs)),
    sessions: sessions.slice(0, MAX_SESSIONS).map(rowOf),
    sessionsLeftOut: Math.max(0, sessions.length - MAX_SESSIONS),
  });
}

function rowOf(session: HookSession): SessionRow {
  const { client, id, startedAt, endedAt, answers } = session;
  return {
    ...{ client, id, startedAt, endedAt, totals: totalsOf(answers) },
    // Lists are cut, because one hostile or endless session must not make the page slow. Sums are over everything.
    answers: answers.slice(-MAX_ANSWERS).map((answer) => ({
      ...answer,
      places: answer.places.slice(0, MAX_PLACES),
      misses: answer.misses.slice(0, MAX_PLACES),
    })),
    answersLeftOut: Math.max(0, answers.length - MAX_ANSWERS),
    files: filesOf(session),
  };
}

function filesOf({ answers, files }: HookSession): readonly UsedFile[] {
  const told = new Set(answers.flatMap(({ places }) => places.map(({ path }) => path)));
  const missed = new Set(answers.flatMap(({ misses }) => misses.map(({ path }) => path)));
  const found = new Map<string, { reads: number; edits: number }>();
  for (const { path, how } of files) {
    const uses = found.get(path) ?? { reads: 0, edits: 0 };
    uses[how === 'edit' ? 'edits' : 'reads'] += 1;
    found.set(path, uses);
  }
  return [...found]
    .map(([path, uses]) => ({ path, ...uses, wasTold: told.has(path) && !missed.has(path) }))
    .sort((a, b) => b.edits - a.edits || b.reads - a.reads || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FILES);
}
