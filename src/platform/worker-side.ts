import { writeSync } from 'node:fs';

const PROGRESS_DESCRIPTOR = 4;
const ONE = Buffer.from([1]);

/** The other end of `WorkerProcess`: answers jobs until the parent is gone. */
export function serveJobs<Job, Result>(work: (job: Job, begun: () => void) => Promise<Result>): void {
  const begun = () => {
    writeSync(PROGRESS_DESCRIPTOR, ONE);
  };
  process.on('message', async (job) => {
    try {
      process.send?.({ result: await work(job as Job, begun) });
    } catch (error) {
      process.send?.({ error: (error as Error).message });
    }
  });
  process.on('disconnect', () => process.exit(0));
}

/** Memory of this process, for the parent to decide when to start afresh. */
export function residentBytes(): number {
  return process.memoryUsage.rss();
}
