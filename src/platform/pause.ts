import { setTimeout as sleep } from 'node:timers/promises';

/** Waits; an abort ends the waiting early and is not an error. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
