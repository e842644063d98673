import { SIGNALS } from '../../model/ranking.ts';
import { mean, measure, worth } from './measures.ts';
import { AS_LEARNED, type Multipliers, rankTable, type SignalTable } from './signal-table.ts';

export interface TuningTask {
  readonly table: SignalTable;
  readonly changed: readonly string[];
}

export interface Tuning {
  readonly multipliers: Multipliers;
  /** Worth of the rankings of commits that the multipliers were not chosen on. */
  readonly heldOut: number;
  readonly before: number;
  readonly isBetter: boolean;
}

/** With fewer, chance decides. */
export const MIN_TASKS = 20;

const STEPS = [0.5, 0.7, 1, 1.4, 2];
const ROUNDS = 2;
const FOLDS = 5;
/** What a step must gain, so that noise moves nothing. */
const MIN_GAIN = 0.002;
/** What all of it must gain on commits it has not seen. */
const MIN_HELD_OUT_GAIN = 0.005;

/** Looks for multipliers that rank a repository's own commits better, and for whether they do on others. */
export function tuneMultipliers(tasks: readonly TuningTask[]): Tuning {
  const before = worthOf(tasks, AS_LEARNED);
  const heldOut = mean(
    Array.from({ length: FOLDS }, (_, fold) => {
      const apart = tasks.filter((_, at) => at % FOLDS === fold);
      const multipliers = search(tasks.filter((_, at) => at % FOLDS !== fold));
      return apart.map((task) => worthOf([task], multipliers));
    }).flat(),
  );
  const isBetter = tasks.length >= MIN_TASKS && heldOut >= before + MIN_HELD_OUT_GAIN;
  return { multipliers: search(tasks), heldOut, before, isBetter };
}

function search(tasks: readonly TuningTask[]): Multipliers {
  let multipliers = AS_LEARNED;
  let best = worthOf(tasks, multipliers);
  for (let round = 0; round < ROUNDS; round++) {
    const before = best;
    for (const signal of SIGNALS)
      for (const step of STEPS) {
        const changed = { ...multipliers, [signal]: step };
        const found = worthOf(tasks, changed);
        if (found < best + MIN_GAIN) continue;
        best = found;
        multipliers = changed;
      }
    if (best === before) break;
  }
  return multipliers;
}

function worthOf(tasks: readonly TuningTask[], multipliers: Multipliers): number {
  return mean(tasks.map(({ table, changed }) => worth(measure(rankTable(table, multipliers), changed))));
}
