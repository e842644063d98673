import { LoadoutError } from '../../model/loadout-error.ts';
import { SIGNALS } from '../../model/ranking.ts';
import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import type { Multipliers } from './signal-table.ts';

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
