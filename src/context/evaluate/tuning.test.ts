import { describe, expect, it } from 'vitest';
import { SIGNALS, type Signal } from '../../model/ranking.ts';
import { AS_LEARNED, rankTable, type SignalTable } from './signal-table.ts';
import { MIN_TASKS, type TuningTask, tuneMultipliers } from './tuning.ts';

function tableOf(values: Partial<Record<Signal, readonly number[]>>, paths = ['a', 'b']): SignalTable {
  const signals = SIGNALS.map((signal) => [signal, Float64Array.from(values[signal] ?? paths.map(() => 0))]);
  return { paths, signals: Object.fromEntries(signals) };
}

/** Words mislead by a little in most tasks; history is right. */
const misled: TuningTask[] = Array.from({ length: 30 }, (_, at) => ({
  table: tableOf({ lexical: [1, 0.2 + (at % 3) / 100], history: [0, 0.6] }),
  changed: ['b'],
}));

describe('tuneMultipliers', () => {
  it('finds that history matters more here, also for held-out commits', () => {
    const { multipliers, isBetter, before, heldOut } = tuneMultipliers(misled);
    expect(multipliers.history / multipliers.lexical).toBeGreaterThan(1);
    expect(rankTable(misled[0]!.table, multipliers)[0]).toBe('b');
    expect(isBetter).toBe(true);
    expect(heldOut).toBeGreaterThan(before);
  });

  it('keeps the learned weights when they are good', () => {
    const fine = misled.map(({ table }) => ({ table, changed: ['a'] }));
    expect(tuneMultipliers(fine)).toMatchObject({ multipliers: AS_LEARNED, isBetter: false });
  });

  it('does not trust a handful of commits', () => {
    expect(tuneMultipliers(misled.slice(0, MIN_TASKS - 1)).isBetter).toBe(false);
  });
});
