// Sums over the answers of hooks. Every number is a count of records; nothing is estimated.

import type { HookSession, SessionAnswer } from './sessions.ts';

/** Sums over some answers. */
export interface AnswerTotals {
  readonly sessions: number;
  /** Answers of hooks, silent ones included. */
  readonly answers: number;
  readonly spoke: number;
  /** Why nothing was added, most frequent first. */
  readonly silent: readonly { readonly reason: string; readonly count: number }[];
  readonly characters: number;
  /** Of the answers whose tokens were counted. */
  readonly tokens: number;
  /** Answers that added something but whose tokens were not counted. */
  readonly uncounted: number;
  /** Definitions and files that hooks showed or named. */
  readonly injected: number;
  /** Places in sessions with records of files. In other sessions their use is unknown. */
  readonly watched: number;
  readonly edited: number;
  readonly read: number;
  /** The share of `watched` that was read or edited, 0..1; null when there is none. */
  readonly hitRate: number | null;
  /** Files that agents used and no hook had named, after answers that added something. */
  readonly misses: number;
  /** The same after silent answers. */
  readonly missesWhenSilent: number;
  /** How long hooks took; null without answers. */
  readonly milliseconds: { readonly median: number; readonly p95: number } | null;
}

/** All answers of some sessions since a time. */
export function answersSince(sessions: readonly HookSession[], sinceMs: number): readonly SessionAnswer[] {
  return sessions.flatMap(({ answers }) => answers.filter(({ at }) => Date.parse(at) >= sinceMs));
}

/** The sums over answers. */
export function totalsOf(answers: readonly SessionAnswer[]): AnswerTotals {
  const spoke = answers.filter((answer) => answer.spoke);
  const reasons = new Map<string, number>();
  for (const { reason, spoke: isHeard } of answers)
    if (!isHeard) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const places = answers.flatMap((answer) => answer.places);
  const uses = (wanted: string) => places.filter(({ use }) => use === wanted).length;
  const watched = places.length - uses('unknown');
  const [edited, read] = [uses('edited'), uses('read')];
  const missesOf = (list: readonly SessionAnswer[]) => sum(list, ({ misses }) => misses.length);
  const misses = missesOf(spoke);
  return {
    sessions: new Set(answers.map(({ client, session }) => JSON.stringify([client, session]))).size,
    answers: answers.length,
    spoke: spoke.length,
    silent: [...reasons]
      .map(([reason, count]) => ({ reason, count }))
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    characters: sum(spoke, ({ characters }) => characters),
    tokens: sum(spoke, ({ tokens }) => tokens ?? 0),
    uncounted: spoke.filter(({ tokens }) => tokens === null).length,
    injected: places.length,
    ...{ watched, edited, read },
    hitRate: watched === 0 ? null : (edited + read) / watched,
    misses,
    missesWhenSilent: missesOf(answers) - misses,
    milliseconds: spreadOf(answers.map(({ milliseconds }) => milliseconds)),
  };
}

function sum<One>(list: readonly One[], measure: (one: One) => number): number {
  return list.reduce((total, one) => total + measure(one), 0);
}

function spreadOf(values: readonly number[]): AnswerTotals['milliseconds'] {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { median: at(0.5), p95: at(0.95) };
}

/** A week and its sums. */
export interface WeekTotals extends AnswerTotals {
  /** Its Monday, as `2026-01-26`, in UTC. */
  readonly week: string;
}

const DAY_MS = 24 * 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday after the epoch began, which was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/** The start of the week that contains a time. */
function weekStart(atMs: number): number {
  return Math.floor((atMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS;
}

/** The start of the first of this many weeks; the last one contains `nowMs`. */
export const weeksBack = (nowMs: number, count: number): number => weekStart(nowMs) - (count - 1) * WEEK_MS;

/** The sums of each of the last weeks, oldest first, empty weeks included. */
export function weeksOf(
  answers: readonly SessionAnswer[],
  count: number,
  nowMs: number,
): readonly WeekTotals[] {
  const [first, last] = [weeksBack(nowMs, count), weekStart(nowMs)];
  const groups = new Map<number, SessionAnswer[]>();
  for (let week = first; week <= last; week += WEEK_MS) groups.set(week, []);
  // A clock that was ahead for a while leaves times in the future.
  for (const answer of answers) groups.get(Math.min(weekStart(Date.parse(answer.at)), last))?.push(answer);
  return [...groups].map(([week, own]) => ({
    week: new Date(week).toISOString().slice(0, 10),
    ...totalsOf(own),
  }));
}
