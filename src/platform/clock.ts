/** For durations: never jumps. */
export const monotonicMs = (): number => performance.now();

/** For records people read: may jump, must never reach a package. */
export const wallClockMs = (): number => Date.now();
