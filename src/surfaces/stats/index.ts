// What hooks and runs did on this machine, out of their records. `loadout stats` and the inspector show it.

export {
  collectStats,
  type ListedMiss,
  type RepositoryStats,
  type StatsReport,
  type StatsRequest,
} from './collect.ts';
export { type AttemptFacts, type RunFacts, type RunTotals, readRuns, runTotalsOf } from './runs.ts';
export {
  type HookSession,
  type InjectedPlace,
  type Miss,
  type PlaceUse,
  readSessions,
  type SessionAnswer,
  sessionsOf,
} from './sessions.ts';
export { statusLine } from './status-line.ts';
export {
  type AnswerTotals,
  answersSince,
  totalsOf,
  type WeekTotals,
  weeksBack,
  weeksOf,
} from './totals.ts';
