/** The best of a few tries in milliseconds: the time of the work itself, without other work of the machine. */
export function fastestOf(work: () => void, tries = 4): number {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries; at++) {
    const started = performance.now();
    work();
    best = Math.min(best, performance.now() - started);
  }
  return best;
}
