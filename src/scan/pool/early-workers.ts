import { WorkerProcess } from '../../platform/process/worker-process.ts';
import type { ParserReadiness, SegmentJob, SegmentResult } from './open-segment.ts';
import { COMPILE_AT_ONCE } from './worker-options.ts';

export type ScanWorker = WorkerProcess<SegmentJob, SegmentResult, ParserReadiness>;

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

  /** Ends those that nobody has taken. */
  dismiss(): void {
    for (const worker of this.#workers.splice(0)) worker.kill();
  }
}
