import { readFileSync } from 'node:fs';

/** Aborts `signal` when the watched process hangs in opening a FIFO. */
export interface FifoWatch {
  readonly signal: AbortSignal;
  readonly start: (pid: number) => void;
  stop(): void;
}

const INTERVAL_MS = 250;
/** The kernel function in which a process waits for the other end of a FIFO. */
const WAITING_FOR_FIFO = 'wait_for_partner';

/**
 * git opens any `.gitignore` and `.gitattributes` it meets, and one that is a FIFO would hold it until the timeout.
 * Only Linux tells what a process waits for; elsewhere the timeout has to do.
 */
export function watchForFifo(): FifoWatch {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: controller.signal,
    start: (pid) => {
      if (process.platform !== 'linux') return;
      let before = '';
      timer = setInterval(() => {
        const now = waitingIn(pid);
        if (now === WAITING_FOR_FIFO && before === now) controller.abort();
        before = now;
      }, INTERVAL_MS);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
}

function waitingIn(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/wchan`, 'latin1');
  } catch {
    return '';
  }
}
