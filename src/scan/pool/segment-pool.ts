// The pool of parser processes. Each lane takes portions from the queue and fills segments with them. A process that
// hangs or dies is replaced, and its segment is built again.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { monotonicMs } from '../../platform/clock.ts';
import { contentHash } from '../../platform/fs/read-file.ts';
import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { WorkerProcess } from '../../platform/process/worker-process.ts';
import { detectLanguage, needsGrammar } from '../parse/index.ts';
import type { SegmentFileResult, SegmentJob, SegmentJobFile, SegmentResult } from './open-segment.ts';
import { SegmentAttempts } from './segment-attempts.ts';
import type { Portion, WorkQueue } from './work-queue.ts';

/** How many parser processes run, and the callbacks for their progress. */
export interface PoolOptions extends WorkerStart {
  readonly workers: number;
  /** The workers use every core of the machine. */
  readonly fillsMachine?: boolean;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: (filesDone: number) => void;
  /** Called when a segment is written. The system may still hold it in memory. */
  readonly onWritten?: (segment: string) => void;
}

/** The result of one job: its files in order, and the segment that holds their findings. */
export interface BuiltSegment {
  readonly paths: readonly string[];
  /** Name of the segment, or null when none of the files had content to keep. */
  readonly segment: string | null;
  readonly files: readonly SegmentFileResult[];
}

type JobTemplate = Omit<SegmentJob, 'files' | 'name' | 'isSmall' | 'isLast'>;

/** Bytes at the start of a file that decide about its language. */
const HEAD_BYTES = 1_000;

/** A worker with more memory is replaced: grammars and query cursors never give memory back. */
const RECYCLE_BYTES = 600_000_000;

/**
 * Parses the queued files in child processes. When a worker dies or hangs, a fresh one builds its segment again, and
 * `SegmentAttempts` decides about the file on which it died, so that nothing else is lost.
 */
export async function buildSegments(
  queue: WorkQueue,
  template: JobTemplate,
  nameOf: (segment: number) => string,
  given: PoolOptions,
): Promise<{ readonly built: BuiltSegment[]; readonly diagnostics: Diagnostic[] }> {
  const fillsMachine = given.fillsMachine === true && queue.workers === given.workers;
  const options = { ...given, nodeOptions: workerOptions(queue.files, given.nodeOptions, fillsMachine) };
  const built: BuiltSegment[] = [];
  const diagnostics: Diagnostic[] = [];
  const active = new Set<ScanWorker>();
  let segments = 0;
  let filesDone = 0;
  let stopped = false;
  const report = () => {
    let running = 0;
    for (const worker of active) running += worker.started;
    // Files of a dead worker are counted twice, because they are read again.
    options.onProgress(Math.min(filesDone + running, queue.files.length));
  };
  const stop = () => {
    stopped = true;
    for (const worker of active) worker.kill();
  };
  options.signal?.throwIfAborted();
  options.signal?.addEventListener('abort', stop, { once: true });
  const ticker = setInterval(report, 100);

  /** Describes a file that was given up. With its hash known, a later scan does not try it again. */
  function describeGivenUp(path: string): Partial<SegmentFileResult> {
    const outcome = openSafeRoot(template.root).read(path, template.maxFileBytes);
    if (outcome.kind === 'skipped') return {};
    const { bytes, hint } = outcome;
    const language = detectLanguage(path, bytes.toString('latin1', 0, HEAD_BYTES))?.id ?? null;
    return { hash: contentHash(bytes), size: bytes.length, hint, language };
  }

  /** Fills one segment, with as many workers as it takes. */
  async function runSegment(portions: Iterable<Portion>, current: ScanWorker): Promise<ScanWorker> {
    const number = segments++;
    const name = nameOf(number);
    const attempts = new SegmentAttempts();
    let worker = current;
    const run = async (isSmall: boolean, isLast: boolean): Promise<SegmentResult | null> => {
      let isAlone = isSmall;
      for (;;) {
        const job: SegmentJob = { ...template, name, files: attempts.next(), isSmall: isAlone, isLast };
        const silence = watchSilence(job, worker);
        const outcome = await worker.run(job, silence.patience);
        options.signal?.throwIfAborted();
        // Another lane has failed, so this result is not needed any more.
        if (stopped) return null;
        if (outcome.kind === 'failed')
          throw new LoadoutError('scan-failed', outcome.message, {
            hint: 'free some space and run the scan again',
          });
        if (outcome.kind === 'done') {
          attempts.finish(outcome.result.files);
          return outcome.result;
        }
        worker = replace(worker);
        // The next worker reads the whole segment.
        isAlone = false;
        const said = attempts.died(outcome.started, silence.isOver(outcome.started));
        if (said) diagnostics.push(said);
      }
    };
    for (const { files, isSmall } of portions) {
      attempts.add(files);
      if ((await run(isSmall, false)) === null) return worker;
      filesDone += files.length;
    }
    const result = await run(false, true);
    if (result === null) return worker;
    const { documents, residentBytes } = result;
    const segment = documents > 0 ? name : null;
    built[number] = { paths: attempts.paths, files: attempts.results(describeGivenUp), segment };
    if (segment) options.onWritten?.(segment);
    return residentBytes < RECYCLE_BYTES ? worker : replace(worker);
  }

  function start(): ScanWorker {
    const worker = startWorker(options);
    active.add(worker);
    return worker;
  }

  /** Ends a worker and starts another one. */
  function replace(old: ScanWorker): ScanWorker {
    active.delete(old);
    old.kill();
    return start();
  }

  /** One worker after the other, until the queue is empty. */
  async function runLane(): Promise<void> {
    let worker = start();
    try {
      for (const portions of queue.segments()) {
        worker = await runSegment(portions, worker);
        if (stopped) return;
      }
    } finally {
      active.delete(worker);
      worker.close();
    }
  }

  try {
    await Promise.all(Array.from({ length: queue.workers }, runLane));
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

/** A worker may be silent for this many times the limit of one file before it counts as hung. */
const SILENCE_FACTOR = 2;
const SILENCE_FLOOR_MS = 3_000;
/** The limit in milliseconds while a worker starts, writes, or has hardly had the processor. */
const UNSURE_MS = 60_000;
/** Silence is checked from time to time, so this much of it may have been missed. In milliseconds. */
const BLUR_MS = 500;

/**
 * How long a worker may be silent during a job. Only the time that it has worked counts: on a busy machine it may wait
 * for seconds before it gets to a harmless file.
 */
export function watchSilence(
  { files, parseLimitMs }: Pick<SegmentJob, 'files' | 'parseLimitMs'>,
  worker: { readonly cpuMs: number | null },
  now: () => number = monotonicMs,
) {
  const perFile = Math.max(SILENCE_FLOOR_MS, parseLimitMs * SILENCE_FACTOR);
  let seen = -1;
  let since = 0;
  let workedBefore: number | null = null;
  let hasWorked = false;
  return {
    patience: (begun: number): number => {
      const worked = worker.cpuMs;
      if (begun !== seen) {
        since = now();
        workedBefore = worked;
      }
      seen = begun;
      hasWorked = worked === null || workedBefore === null || worked - workedBefore > perFile - BLUR_MS;
      // Before the first file a worker starts; after the last one it writes the segment.
      const isReading = begun > 0 && begun <= files.length;
      return isReading && hasWorked ? perFile : UNSURE_MS;
    },
    isOver: (begun: number): boolean =>
      begun === seen && now() - since > (hasWorked ? perFile : UNSURE_MS) - BLUR_MS,
  };
}

/** A parser process. */
type ScanWorker = WorkerProcess<SegmentJob, SegmentResult>;

/** How a parser process is started. */
interface WorkerStart {
  /** Absolute path or URL of the built worker module. */
  readonly workerModule: string;
  readonly nodeOptions: readonly string[];
  /** Where parsers keep their compiled code; left out, they start from the source. */
  readonly codeFolder?: string;
}

/** Starts one parser process. */
function startWorker({ workerModule, nodeOptions, codeFolder }: WorkerStart): ScanWorker {
  return new WorkerProcess(workerModule, nodeOptions, codeFolder);
}

/** For fewer files the optimizing compiler does not pay: it takes about a second for a grammar. */
const WORTH_OPTIMIZING = 1_000;

/** Compiles grammars with the fast compiler of V8 only. */
const QUICK_GRAMMARS = '--liftoff-only';

/**
 * V8 optimizes hot code in another thread. Where every core parses, that thread waits for seconds, and the code stays
 * slow meanwhile. Stopping for a moment to compile is faster.
 */
export const COMPILE_AT_ONCE = '--no-concurrent-recompilation';

/** Flags for the processes that parse these files. */
export function workerOptions(
  queued: readonly SegmentJobFile[],
  nodeOptions: readonly string[],
  fillsMachine: boolean,
): readonly string[] {
  const flags = fillsMachine ? [...nodeOptions, COMPILE_AT_ONCE] : nodeOptions;
  if (flags.includes(QUICK_GRAMMARS)) return flags;
  const files = queued.filter(({ path, light }) => !light && needsGrammar(path)).length;
  return files < WORTH_OPTIMIZING ? [...flags, QUICK_GRAMMARS] : flags;
}
