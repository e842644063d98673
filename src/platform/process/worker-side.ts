import { keepCompiledCode, useCodeFolder } from '../cache/load-script.ts';
import { writeProgress } from '../fs/progress-file.ts';
import { endWithParent } from './parent-watch.ts';
import { PROGRESS_DESCRIPTOR, type WorkerMessage } from './worker-process.ts';

/** The other end of `WorkerProcess`: answers jobs until the parent is gone. After some it has time to tidy up. */
export function serveJobs<Job, Result, Readiness>(
  work: (job: Job, begun: () => void) => Promise<Result>,
  getReady: (ready: Readiness) => Promise<void>,
  leavesTime: (job: Job) => boolean,
): void {
  const bytes = Buffer.alloc(8);
  const [parent, codeFolder] = process.argv.slice(2);
  if (codeFolder) useCodeFolder(codeFolder);
  let isWatched = false;
  // with nobody to hear it, an error event would end up as a stack trace in the output of whoever started the parent
  const say = (message: object) => process.send?.(message, (error: Error | null) => error && process.exit(0));
  process.on('message', async (message) => {
    const given = message as WorkerMessage<Job, Readiness>;
    if ('ready' in given) {
      // what does not load now says so when it is needed
      await getReady(given.ready).catch(() => {});
      return;
    }
    const { number, job } = given;
    if (!isWatched) endWithParent(Number(parent) || process.ppid);
    isWatched = true;
    let done = 0;
    try {
      const result = await work(job, () => writeProgress(PROGRESS_DESCRIPTOR, bytes, number, ++done));
      // before the answer: whoever has it may go, and nothing is written behind the back of the caller
      if (leavesTime(job)) keepCompiledCode(Date.now());
      say({ result });
    } catch (error) {
      say({ error: (error as Error).message });
    }
  });
  process.on('disconnect', () => process.exit(0));
}

/** Ends this process in the middle of a job, which the parent then knows to be unfinished. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Memory of this process, for the parent to decide when to start afresh. */
export function residentBytes(): number {
  return process.memoryUsage.rss();
}
