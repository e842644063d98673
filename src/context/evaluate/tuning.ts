import { SIGNALS } from '../../model/ranking.ts';
import { mean, measure, worth } from './measures.ts';
import { AS_LEARNED, rankTable, type SignalTable } from './signal-table.ts';
import type { Multipliers } from './tuned-weights.ts';

// The search for weights that suit one repository.

/** One past commit: the signals of its task, and the files to find. */
export interface TuningTask {
  readonly table: SignalTable;
  readonly changed: readonly string[];
}

/** The result of a search. Both values are a mean `worth`, 0..1. */
export interface Tuning {
  readonly multipliers: Multipliers;
  /** Measured on commits that were not part of the search. */
  readonly heldOut: number;
  /** With the learned weights. */
  readonly before: number;
  /** The gain is large enough to keep the multipliers. */
  readonly isBetter: boolean;
}

/** With fewer tasks, chance decides. */
export const MIN_TASKS = 20;

/** The factors that are tried for each signal. */
const STEPS = [0.5, 0.7, 1, 1.4, 2];
const ROUNDS = 2;
/** Of the cross-validation. */
const FOLDS = 5;
/** The smallest gain of a step. Less is noise. */
const MIN_GAIN = 0.002;
/** The smallest gain on held-out commits. */
const MIN_HELD_OUT_GAIN = 0.005;

/**
 * Searches multipliers that rank the commits of a repository better. Cross-validation tells whether they also help on
 * commits that were not part of the search.
 */
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

/** Coordinate search: for each signal in turn, takes the factor with the best mean. */
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
