import type { ProcessIdentity } from '../../platform/process/process-identity.ts';

/** How often an agent failed lately in one role, with one CLI and one model. */
export interface BreakerState {
  readonly failures: number;
  /** Milliseconds since the epoch; null while calls go through. */
  readonly openedAt: number | null;
  /** How often in a row it was opened: each time the pause is twice as long. */
  readonly openings: number;
  /** Who tries whether it works again. */
  readonly probe: { readonly by: ProcessIdentity; readonly run: string; readonly at: number } | null;
}

export type BreakerAnswer =
  | { readonly kind: 'closed' | 'probe' }
  | { readonly kind: 'open'; readonly retryInMs: number };

export const CLOSED: BreakerState = { failures: 0, openedAt: null, openings: 0, probe: null };
export const FAILURES_TO_OPEN = 5;
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 30 * 60_000;

/** May a call go out now? After the pause one does, and decides for all. */
export function askBreaker(state: BreakerState, now: number, isProbeAlive: boolean): BreakerAnswer {
  if (state.openedAt === null) return { kind: 'closed' };
  const pause = pauseOf(state);
  // A clock that was set back must not keep it open for years.
  const waited = Math.max(0, now - Math.min(state.openedAt, now));
  if (waited < pause) return { kind: 'open', retryInMs: pause - waited };
  if (state.probe !== null && isProbeAlive) return { kind: 'open', retryInMs: FIRST_PAUSE_MS };
  return { kind: 'probe' };
}

export function afterSuccess(): BreakerState {
  return CLOSED;
}

export function afterFailure(state: BreakerState, now: number): BreakerState {
  const failures = state.failures + 1;
  if (failures < FAILURES_TO_OPEN) return { ...state, failures, probe: null };
  return { failures, openedAt: now, openings: state.openings + 1, probe: null };
}

function pauseOf({ openings }: BreakerState): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, openings - 1));
}
