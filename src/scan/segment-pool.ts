import type { Diagnostic } from '../model/diagnostic.ts';
import { LoadoutError } from '../model/loadout-error.ts';
import { WorkerProcess } from '../platform/worker-process.ts';
import type { SegmentFileResult, SegmentJob, SegmentJobFile, SegmentResult } from './build-segment.ts';

export interface PoolOptions {
  readonly workers: number;
  /** Absolute path or URL of the built worker module. */
  readonly workerModule: string;
  readonly nodeOptions: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (filesDone: number) => void;
}

/** A file to be read, before it is known how. */
export type BatchFile = Omit<SegmentJobFile, 'plain'>;

export interface BuiltBatch {
  readonly paths: readonly string[];
  /** Name of the segment, or null when no file of the batch had content to keep. */
  readonly segment: string | null;
  readonly files: readonly SegmentFileResult[];
}

type JobTemplate = Omit<SegmentJob, 'files' | 'name'>;

/** A worker this large starts afresh: grammars and query cursors never give memory back. */
const RECYCLE_BYTES = 600_000_000;

/** How many times the parser's own limit a worker may be silent before it counts as hung. */
const SILENCE_FACTOR = 2;
const SILENCE_FLOOR_MS = 3_000;
const UNSURE_MS = 60_000;

/**
 * Parses batches in child processes. A file that kills or hangs its worker is tried once more as plain text,
 * and skipped if even that fails; the rest of its batch is done again, so that nothing else is lost.
 */
export async function buildSegments(
  batches: readonly (readonly BatchFile[])[],
  template: JobTemplate,
  nameOf: (batch: number) => string,
  options: PoolOptions,
): Promise<{ readonly built: BuiltBatch[]; readonly diagnostics: Diagnostic[] }> {
  const built: BuiltBatch[] = new Array(batches.length);
  const diagnostics: Diagnostic[] = [];
  const active = new Set<WorkerProcess<SegmentJob, SegmentResult>>();
  let nextBatch = 0;
  let filesDone = 0;
  const report = () => {
    let running = 0;
    for (const worker of active) running += worker.started;
    options.onProgress(filesDone + running);
  };
  const abort = () => {
    for (const worker of active) worker.kill();
  };
  options.signal?.addEventListener('abort', abort, { once: true });
  const ticker = setInterval(report, 100);

  async function runBatch(
    index: number,
    current: WorkerProcess<SegmentJob, SegmentResult>,
  ): Promise<WorkerProcess<SegmentJob, SegmentResult>> {
    const batch = batches[index]!;
    const paths = batch.map(({ path }) => path);
    const plain = new Set<number>();
    const dropped = new Set<number>();
    let worker = current;
    for (;;) {
      const order = paths.map((_, at) => at).filter((at) => !dropped.has(at));
      const files = order.map((at): SegmentJobFile => ({ ...batch[at]!, plain: plain.has(at) }));
      const job = { ...template, name: nameOf(index), files };
      const perFile = Math.max(SILENCE_FLOOR_MS, template.parseLimitMs * SILENCE_FACTOR);
      // before the first file a worker starts up, behind the last one it writes the segment
      const patience = (begun: number) => (begun === 0 || begun > files.length ? UNSURE_MS : perFile);
      const outcome = await worker.run(job, patience);
      if (options.signal?.aborted) throw options.signal.reason;
      if (outcome.kind === 'failed')
        throw new LoadoutError('scan-failed', outcome.message, {
          hint: 'free some space and run the scan again',
        });
      if (outcome.kind === 'done') {
        built[index] = collect(paths, order, outcome.result, job.name);
        if (outcome.result.residentBytes < RECYCLE_BYTES) return worker;
        return replace(worker);
      }
      const culprit = order[outcome.started - 1];
      worker = replace(worker);
      if (culprit === undefined) {
        if (++startFailures > 3)
          throw new LoadoutError('scan-failed', 'the parser process ends before it reads its first file', {
            hint: 'run "loadout doctor"',
          });
      } else if (plain.has(culprit)) dropped.add(culprit);
      else plain.add(culprit);
      if (culprit !== undefined)
        diagnostics.push({
          code: 'parser-crashed',
          severity: 'warning',
          message: dropped.has(culprit)
            ? 'could not be read without a crash; skipped'
            : 'the parser hung or crashed; read as plain text',
          path: paths[culprit]!,
        });
    }
  }
  let startFailures = 0;

  function start(): WorkerProcess<SegmentJob, SegmentResult> {
    const worker = new WorkerProcess<SegmentJob, SegmentResult>(options.workerModule, options.nodeOptions);
    active.add(worker);
    return worker;
  }

  function replace(old: WorkerProcess<SegmentJob, SegmentResult>): WorkerProcess<SegmentJob, SegmentResult> {
    active.delete(old);
    old.kill();
    return start();
  }

  async function runLane(): Promise<void> {
    let worker = start();
    try {
      while (nextBatch < batches.length) {
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
    const lanes = Math.max(1, Math.min(options.workers, batches.length));
    await Promise.all(Array.from({ length: lanes }, runLane));
  } catch (error) {
    abort();
    throw error;
  } finally {
    clearInterval(ticker);
    options.signal?.removeEventListener('abort', abort);
  }
  report();
  return { built, diagnostics };
}

const CRASHED: SegmentFileResult = {
  skip: 'unreadable',
  hash: '',
  size: 0,
  language: null,
  saysGenerated: false,
  hint: null,
  document: -1,
  problem: null,
  symbolCount: 0,
  interfaceHash: 0,
};

function collect(
  paths: readonly string[],
  order: readonly number[],
  result: SegmentResult,
  segment: string,
): BuiltBatch {
  const files = paths.map(() => CRASHED);
  order.forEach((at, index) => {
    files[at] = result.files[index]!;
  });
  return { paths, files, segment: result.documents > 0 ? segment : null };
}
