import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';

/** A child process that takes one job at a time and can be killed when a job hangs. */
export class WorkerProcess<Job, Result> {
  readonly #child: ChildProcess;
  #started = 0;
  #lastSign = performance.now();
  #settle: ((outcome: WorkerOutcome<Result>) => void) | null = null;

  constructor(modulePath: string, nodeOptions: readonly string[]) {
    this.#child = fork(modulePath, [], {
      execArgv: [...nodeOptions],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', 'pipe'],
      serialization: 'advanced',
    });
    // one byte for each file begun: cheap for the worker, and enough to tell which file it hangs on
    (this.#child.stdio[4] as Readable).on('data', (bytes: Buffer) => {
      this.#started += bytes.length;
      this.#lastSign = performance.now();
    });
    this.#child.on('message', (message) => {
      const reply = message as { result?: Result; error?: string };
      if (reply.error === undefined) this.#finish({ kind: 'done', result: reply.result as Result });
      else this.#finish({ kind: 'failed', message: reply.error, started: this.#started });
    });
    this.#child.on('exit', () => this.#finish({ kind: 'died', started: this.#started }));
    this.#child.on('error', () => this.#finish({ kind: 'died', started: this.#started }));
  }

  /** Files the current job has begun. */
  get started(): number {
    return this.#started;
  }

  /** `patienceMs` tells how long the worker may be silent, given how many files it has begun. */
  run(job: Job, patienceMs: (started: number) => number): Promise<WorkerOutcome<Result>> {
    this.#started = 0;
    this.#lastSign = performance.now();
    return new Promise((resolve) => {
      const watch = setInterval(() => {
        if (performance.now() - this.#lastSign > patienceMs(this.#started)) this.kill();
      }, 200);
      this.#settle = (outcome) => {
        clearInterval(watch);
        resolve(outcome);
      };
      this.#child.send(job as object, (error) => {
        if (error) this.#finish({ kind: 'died', started: this.#started });
      });
    });
  }

  #finish(outcome: WorkerOutcome<Result>): void {
    const settle = this.#settle;
    this.#settle = null;
    settle?.(outcome);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets the child end by itself: it leaves when the channel closes. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
  }
}

export type WorkerOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The job threw: a bug or a full disk, not the fault of one file. */
  | { readonly kind: 'failed'; readonly message: string; readonly started: number }
  /** Crashed or killed while it worked on file number `started` (1-based; 0 before the first). */
  | { readonly kind: 'died'; readonly started: number };
