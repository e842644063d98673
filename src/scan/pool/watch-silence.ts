import { monotonicMs } from '../../platform/clock.ts';
import type { SegmentJob } from './open-segment.ts';

/** How many times the parser's own limit a worker may be silent before it counts as hung. */
const SILENCE_FACTOR = 2;
const SILENCE_FLOOR_MS = 3_000;
const UNSURE_MS = 60_000;
/** Silence is looked at now and then only; this much may be missing from what was seen of it. */
const BLUR_MS = 500;

/**
 * How long a worker may be silent over a job, and whether it was. What counts is the time that it has worked: on a
 * crowded machine it may wait for seconds before it gets to a file that is as good as any.
 */
export function watchSilence(
  { files, parseLimitMs }: Pick<SegmentJob, 'files' | 'parseLimitMs'>,
  worker: { readonly cpuMs: number | null },
  now: () => number = monotonicMs,
) {
  const perFile = Math.max(SILENCE_FLOOR_MS, parseLimitMs * SILENCE_FACTOR);
  let seen = -1;
  let since = 0;
  let workedBefore: number | null = null;
  let hasWorked = false;
  return {
    patience: (begun: number): number => {
      const worked = worker.cpuMs;
      if (begun !== seen) {
        since = now();
        workedBefore = worked;
      }
      seen = begun;
      hasWorked = worked === null || workedBefore === null || worked - workedBefore > perFile - BLUR_MS;
      // before the first file a worker starts up, behind the last one it writes the segment
      const isReading = begun > 0 && begun <= files.length;
      return isReading && hasWorked ? perFile : UNSURE_MS;
    },
    isOver: (begun: number): boolean =>
      begun === seen && now() - since > (hasWorked ? perFile : UNSURE_MS) - BLUR_MS,
  };
}
