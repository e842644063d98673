import { readFileSync } from 'node:fs';

/** Aborts `signal` when the watched process hangs in opening a FIFO or takes too much memory. */
export interface GitWatch {
  readonly signal: AbortSignal;
  readonly start: (pid: number) => void;
  /** Why it was aborted; empty when it was not. */
  readonly reason: () => string;
  stop(): void;
}

const INTERVAL_MS = 100;
/** The kernel function in which a process waits for the other end of a FIFO. */
const WAITING_FOR_FIFO = 'wait_for_partner';
/** git reads an ignore file of any size into memory. */
const MOST_MEMORY_KB = 1_000_000;

/**
 * git opens any `.gitignore` and `.gitattributes` it meets. One that is a FIFO would hold it until the timeout, and one
 * of some gigabytes would fill the machine. Only Linux tells what a process does; elsewhere the timeout has to do.
 */
export function watchGit(): GitWatch {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let reason = '';
  const abort = (why: string) => {
    reason = why;
    controller.abort();
  };
  return {
    signal: controller.signal,
    start: (pid) => {
      if (process.platform !== 'linux') return;
      let before = '';
      timer = setInterval(() => {
        const now = readQuietly(`/proc/${pid}/wchan`);
        if (now === WAITING_FOR_FIFO && before === now) abort('it was waiting for a FIFO');
        before = now;
        const memory = /^RssAnon:\s*(\d+) kB$/m.exec(readQuietly(`/proc/${pid}/status`))?.[1];
        if (Number(memory) > MOST_MEMORY_KB) abort('it took more than 1 GB of memory');
      }, INTERVAL_MS);
      timer.unref();
    },
    reason: () => reason,
    stop: () => clearInterval(timer),
  };
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
