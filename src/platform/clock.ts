// Clocks and waiting.

import { setTimeout as sleep } from 'node:timers/promises';

/** For durations: never jumps. */
export const monotonicMs = (): number => performance.now();

/** For records people read: may jump, must never reach a package. */
export const wallClockMs = (): number => Date.now();

/** Waits; an abort ends the waiting early and is not an error. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
