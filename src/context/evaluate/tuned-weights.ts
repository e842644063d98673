import { LoadoutError } from '../../model/loadout-error.ts';
import { SIGNALS, type Signal } from '../../model/ranking.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';

// The file that keeps the weights tuned to one repository. The ranking multiplies its learned weights by them.

/** A factor for the learned weight of each group of signals. */
export type Multipliers = Readonly<Record<Signal, number>>;

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
