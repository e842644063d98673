import { LoadoutError } from '../../model/loadout-error.ts';
import { SIGNALS } from '../../model/ranking.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { mean, measure, worth } from './measures.ts';
import { AS_LEARNED, type Multipliers, rankTable, type SignalTable } from './signal-table.ts';

// Weights that are tuned to one repository: the search for them, and the file that keeps them. The ranking multiplies
// its learned weights by them.

/** Exists wherever there is an index, so reading weights creates no folder. */
const FOLDER = 'index';
/** To be raised when signals change: weights for other signals mean nothing. */
const FORMAT = 1;
/** A larger factor can only come from a damaged file. */
const MAX_VALUE = 10;

/** A repository by the folder of its index, which all its work trees share. */
interface Tunable {
  readonly cache: { readonly path: string };
}

/** The multipliers that are kept for a repository, or null. A damaged file counts as none. */
export function readTunedWeights(repository: Tunable, cacheDirectory: string): Multipliers | null {
  const bytes = new CacheFolder(`${cacheDirectory}/${FOLDER}`).readAll(nameOf(repository));
  if (bytes === null) return null;
  try {
    const { value } = parseJsonDocument(bytes.toString('utf8'), nameOf(repository));
    return isTuned(value) ? value.multipliers : null;
  } catch (error) {
    if (error instanceof LoadoutError) return null;
    throw error;
  }
}

/** Keeps multipliers for the next rankings of this repository. */
export function writeTunedWeights(
  repository: Tunable,
  cacheDirectory: string,
  multipliers: Multipliers,
): void {
  const text = `${JSON.stringify({ format: FORMAT, multipliers })}\n`;
  new CacheFolder(`${cacheDirectory}/${FOLDER}`).write(nameOf(repository), text);
}

/** Goes back to the learned weights. True when there were tuned ones. */
export function forgetTunedWeights(repository: Tunable, cacheDirectory: string): boolean {
  const folder = new CacheFolder(`${cacheDirectory}/${FOLDER}`);
  const wasThere = folder.changedAt(nameOf(repository)) !== null;
  folder.remove(nameOf(repository));
  return wasThere;
}

function nameOf({ cache }: Tunable): string {
  return `${cache.path.split(/[\\/]/).at(-1)}.tuned.json`;
}

function isTuned(value: unknown): value is { readonly multipliers: Multipliers } {
  if (typeof value !== 'object' || value === null) return false;
  const { format, multipliers } = value as { format?: unknown; multipliers?: unknown };
  if (format !== FORMAT || typeof multipliers !== 'object' || multipliers === null) return false;
  return SIGNALS.every((signal) => {
    const factor = (multipliers as Record<string, unknown>)[signal];
    return typeof factor === 'number' && factor >= 0 && factor <= MAX_VALUE;
  });
}

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
