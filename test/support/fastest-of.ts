/** The best of a few tries in milliseconds: what the work itself takes, not what else the machine is doing. */
export function fastestOf(work: () => void, tries = 4): number {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
