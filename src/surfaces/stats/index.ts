// What hooks and runs did on this machine, out of their records. `loadout stats` shows it.

export { collectStats, type StatsReport } from './collect.ts';
export { type WeekTotals, weeksBack } from './totals.ts';
