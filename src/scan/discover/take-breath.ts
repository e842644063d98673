import { setImmediate } from 'node:timers/promises';

const FILES_PER_BREATH = 4_096;

/** Lets the event loop run after every few thousand files: pipes drain, a server stays answerable. */
export function createBreather(): (filesDone: number) => Promise<void> {
  let sinceBreath = 0;
  return async (filesDone) => {
    sinceBreath += filesDone;
    if (sinceBreath < FILES_PER_BREATH) return;
    sinceBreath = 0;
    await setImmediate();
  };
}
