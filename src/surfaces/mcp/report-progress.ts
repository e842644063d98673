import { monotonicMs } from '../../platform/clock.ts';
import type { ScanStep } from '../../scan/run-scan.ts';

export type ProgressToken = string | number;

interface ProgressMessage {
  readonly method: 'notifications/progress';
  readonly params: {
    readonly progressToken: ProgressToken;
    readonly progress: number;
    readonly total?: number;
    readonly message: string;
  };
}

const SHORTEST_GAP_MS = 200;

/** Steps of a scan as the protocol wants them: a number that only grows, and not too often. */
export function progressReporter(
  token: ProgressToken | undefined,
  send: (message: ProgressMessage) => Promise<void>,
): (step: ScanStep) => void {
  if (token === undefined) return () => {};
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  return ({ label, done, total }) => {
    const now = monotonicMs();
    if (now - last < SHORTEST_GAP_MS) return;
    last = now;
    count += 1;
    const message = total > 0 ? `${label}: ${done} of ${total}` : label;
    const params = { progressToken: token, progress: count, message };
    // a client that has gone needs no progress
    send({ method: 'notifications/progress', params }).catch(() => {});
  };
}
