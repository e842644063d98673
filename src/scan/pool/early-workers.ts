import { WorkerProcess } from '../../platform/process/worker-process.ts';
import { needsGrammar } from '../parse/index.ts';
import type { ParserReadiness, SegmentJob, SegmentJobFile, SegmentResult } from './open-segment.ts';

export type ScanWorker = WorkerProcess<SegmentJob, SegmentResult, ParserReadiness>;

/** How a parser process is started. */
export interface WorkerStart {
  /** Absolute path or URL of the built worker module. */
  readonly workerModule: string;
  readonly nodeOptions: readonly string[];
  /** Where parsers keep their compiled code; left out, they start from the source. */
  readonly codeFolder?: string;
}

export function startWorker({ workerModule, nodeOptions, codeFolder }: WorkerStart): ScanWorker {
  return new WorkerProcess(workerModule, nodeOptions, codeFolder);
}

/** Workers that get ready while it is not yet known what there is to do. */
export class EarlyWorkers {
  readonly #workers: ScanWorker[] = [];

  /** One that is about to parse a few files. */
  startOne(options: WorkerStart, ready: ParserReadiness): void {
    if (this.#workers.length === 0) this.#workers.push(startWorker(options));
    this.#workers[0]!.getReady(ready);
  }

  /** As many as will parse a large repository. */
  startAll(options: WorkerStart & { readonly workers: number; readonly fillsMachine?: boolean }): void {
    const { workers, fillsMachine, nodeOptions } = options;
    const flags = fillsMachine ? [...nodeOptions, COMPILE_AT_ONCE] : nodeOptions;
    while (this.#workers.length < workers)
      this.#workers.push(startWorker({ ...options, nodeOptions: flags }));
  }

  take(): ScanWorker | null {
    return this.#workers.shift() ?? null;
  }

  /** Ends the workers that were not taken. */
  dismiss(): void {
    for (const worker of this.#workers.splice(0)) worker.kill();
  }
}

/** Fewer files than these are parsed before the optimizing compiler has earned its second of work on a grammar. */
const WORTH_OPTIMIZING = 1_000;

const QUICK_GRAMMARS = '--liftoff-only';

/**
 * V8 optimizes hot code in another thread. Where every core parses, that thread waits for seconds, and all the while
 * the code runs as it is: better to stop for a moment.
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
