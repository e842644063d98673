const FIRST_MS = 1_000;
const LONGEST_MS = 60_000;
const SHORTEST_MS = 100;

/** Full jitter: many workers that failed together do not come back together. `failures` counts from 1. */
export function retryDelay(failures: number, random: () => number): number {
  const limit = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  return Math.max(SHORTEST_MS, Math.round(random() * limit));
}
