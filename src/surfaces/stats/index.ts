// Statistics of hooks and runs on this machine, from their records. `loadout stats` and the inspector show them.

export { collectStats, type StatsReport } from './collect.ts';
export { type RunFacts, type RunTotals, readRuns, runFactsOf, runTotalsOf } from './runs.ts';
export { type HookSession, readSessions, type SessionAnswer } from './sessions.ts';
export { type AnswerTotals, answersSince, totalsOf, type WeekTotals, weeksBack } from './totals.ts';
