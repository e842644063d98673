import { writeProgress } from './progress-file.ts';
import { PROGRESS_DESCRIPTOR, type WorkerMessage } from './worker-process.ts';

/** The other end of `WorkerProcess`: answers jobs until the parent is gone. */
export function serveJobs<Job, Result>(work: (job: Job, begun: () => void) => Promise<Result>): void {
  const bytes = Buffer.alloc(8);
  process.on('message', async (message) => {
    const { number, job } = message as WorkerMessage<Job>;
    let done = 0;
    try {
      const result = await work(job, () => writeProgress(PROGRESS_DESCRIPTOR, bytes, number, ++done));
      process.send?.({ result });
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
