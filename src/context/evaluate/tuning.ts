import { LoadoutError } from '../../model/loadout-error.ts';
import { SIGNALS } from '../../model/ranking.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import { mean, measure, worth } from './measures.ts';
import { AS_LEARNED, type Multipliers, rankTable, type SignalTable } from './signal-table.ts';

/** Exists wherever there is an index, so that reading creates nothing. */
const FOLDER = 'index';
/** Weights that were found for other evidence mean nothing. */
const FORMAT = 1;
const MAX_VALUE = 10;

/** Of the index folder: the same for all work trees of a repository. */
interface Tunable {
  readonly cache: { readonly path: string };
}

/** The multipliers that were kept for this repository, or null. A file that says anything else counts as none. */
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

export function writeTunedWeights(
  repository: Tunable,
  cacheDirectory: string,
  multipliers: Multipliers,
): void {
  const text = `${JSON.stringify({ format: FORMAT, multipliers })}\n`;
  new CacheFolder(`${cacheDirectory}/${FOLDER}`).write(nameOf(repository), text);
}

/** True when there were some. */
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
