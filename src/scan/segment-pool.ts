import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { BatchAttempts, type BatchFile } from './batch-attempts.ts';
import type { SegmentFileResult, SegmentJob } from './build-segment.ts';
import { EarlyWorkers, type ScanWorker, startWorker, type WorkerStart } from './early-workers.ts';
import { watchSilence } from './watch-silence.ts';
import { workerOptions } from './worker-options.ts';

export interface PoolOptions extends WorkerStart {
  readonly workers: number;
  /** So many workers leave no core to anything else. */
  readonly fillsMachine?: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (filesDone: number) => void;
  /** A segment is written, and not yet on disk. */
  readonly onWritten?: (segment: string) => void;
}

export interface BuiltBatch {
  readonly paths: readonly string[];
  /** Name of the segment, or null when no file of the batch had content to keep. */
  readonly segment: string | null;
  readonly files: readonly SegmentFileResult[];
}

type JobTemplate = Omit<SegmentJob, 'files' | 'name'>;

/** A worker this large starts afresh: grammars and query cursors never give memory back. */
const RECYCLE_BYTES = 600_000_000;

/**
 * Parses batches in child processes. When a worker dies or hangs, its batch is done again by a fresh one, and
 * `BatchAttempts` decides what becomes of the file it died on, so that nothing else is lost.
 */
export async function buildSegments(
  batches: readonly (readonly BatchFile[])[],
  template: JobTemplate,
  nameOf: (batch: number) => string,
  given: PoolOptions,
  early = new EarlyWorkers(),
): Promise<{ readonly built: BuiltBatch[]; readonly diagnostics: Diagnostic[] }> {
  const lanes = Math.min(given.workers, batches.length);
  const fillsMachine = given.fillsMachine === true && lanes === given.workers;
  const options = { ...given, nodeOptions: workerOptions(batches, given.nodeOptions, fillsMachine) };
  const built: BuiltBatch[] = new Array(batches.length);
  const diagnostics: Diagnostic[] = [];
  const active = new Set<ScanWorker>();
  let nextBatch = 0;
  let filesDone = 0;
  let stopped = false;
  const report = () => {
    let running = 0;
    for (const worker of active) running += worker.started;
    options.onProgress(filesDone + running);
  };
  const stop = () => {
    stopped = true;
    for (const worker of active) worker.kill();
  };
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', stop, { once: true });
  const ticker = setInterval(report, 100);

  async function runBatch(index: number, current: ScanWorker): Promise<ScanWorker> {
    const attempts = new BatchAttempts(batches[index]!);
    let worker = current;
    for (;;) {
      const job: SegmentJob = { ...template, name: nameOf(index), files: attempts.next() };
      const silence = watchSilence(job, worker);
      const outcome = await worker.run(job, silence.patience);
      options.signal?.throwIfAborted();
      // another lane has failed: what this one does is of no use any more
      if (stopped) return worker;
      if (outcome.kind === 'failed')
        throw new LoadoutError('scan-failed', outcome.message, {
          hint: 'free some space and run the scan again',
        });
      if (outcome.kind === 'done') {
        const { documents, residentBytes } = outcome.result;
        built[index] = {
          paths: batches[index]!.map(({ path }) => path),
          files: attempts.collect(outcome.result),
          segment: documents > 0 ? job.name : null,
        };
        if (documents > 0) options.onWritten?.(job.name);
        return residentBytes < RECYCLE_BYTES ? worker : replace(worker);
      }
      worker = replace(worker);
      const said = attempts.died(outcome.started, silence.isOver(outcome.started));
      if (said) diagnostics.push(said);
    }
  }

  function start(): ScanWorker {
    const worker = early.take() ?? startWorker(options);
    active.add(worker);
    return worker;
  }

  function replace(old: ScanWorker): ScanWorker {
    active.delete(old);
    old.kill();
    return start();
  }

  async function runLane(): Promise<void> {
    let worker = start();
    try {
      while (nextBatch < batches.length && !stopped) {
        const index = nextBatch++;
        worker = await runBatch(index, worker);
        filesDone += batches[index]!.length;
      }
    } finally {
      active.delete(worker);
      worker.close();
    }
  }

  try {
    await Promise.all(Array.from({ length: lanes }, runLane));
  } catch (error) {
    stop();
    throw error;
  } finally {
    clearInterval(ticker);
    options.signal?.removeEventListener('abort', stop);
  }
  report();
  return { built, diagnostics };
}
