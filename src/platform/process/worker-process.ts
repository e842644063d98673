import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { ProgressFile } from '../fs/progress-file.ts';
import { processCpuMs } from './process-cpu.ts';

/** What crosses to the worker: a job and the number under which it reports progress, or what to get ready for. */
export type WorkerMessage<Job, Readiness> =
  | { readonly number: number; readonly job: Job }
  | { readonly ready: Readiness };

export const PROGRESS_DESCRIPTOR = 4;
const LOOK_MS = 200;

/** A child process that takes one job at a time and can be killed when a job hangs. */
export class WorkerProcess<Job, Result, Readiness = never> {
  readonly #child: ChildProcess;
  readonly #progress = new ProgressFile(randomBytes(12).toString('hex'));
  #job = 0;
  #settle: ((outcome: WorkerOutcome<Result>) => void) | null = null;

  /** `codeFolder` is where the worker keeps compiled code for the next one; an empty string for nowhere. */
  constructor(modulePath: string, nodeOptions: readonly string[], codeFolder = '') {
    this.#child = fork(modulePath, [String(process.pid), codeFolder], {
      execArgv: [...nodeOptions],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc', this.#progress.descriptor],
      serialization: 'advanced',
    });
    this.#child.on('message', (message) => {
      const reply = message as { result?: Result; error?: string };
      if (reply.error === undefined) this.#finish({ kind: 'done', result: reply.result as Result });
      else this.#finish({ kind: 'failed', message: reply.error, started: this.started });
    });
    const died = () => {
      this.#finish({ kind: 'died', started: this.started });
      this.#progress.close();
    };
    this.#child.on('exit', died);
    this.#child.on('error', died);
  }

  /** Files the current job has begun. */
  get started(): number {
    return this.#progress.read(this.#job);
  }

  /** Time that the worker has worked; null where that cannot be told. */
  get cpuMs(): number | null {
    return this.#child.pid === undefined ? null : processCpuMs(this.#child.pid);
  }

  /** Lets the worker load what jobs of this kind will need. */
  getReady(ready: Readiness): void {
    const message: WorkerMessage<Job, Readiness> = { ready };
    this.#child.send(message, () => {});
  }

  /** `patienceMs` tells how long the worker may be silent, given how many files it has begun. */
  run(job: Job, patienceMs: (started: number) => number): Promise<WorkerOutcome<Result>> {
    const message: WorkerMessage<Job, Readiness> = { number: ++this.#job, job };
    let last = 0;
    let lastSign = performance.now();
    return new Promise((resolve) => {
      const watch = setInterval(() => {
        const started = this.started;
        if (started !== last) lastSign = performance.now();
        last = started;
        if (performance.now() - lastSign > patienceMs(started)) this.kill();
      }, LOOK_MS);
      this.#settle = (outcome) => {
        clearInterval(watch);
        resolve(outcome);
      };
      this.#child.send(message, (error) => {
        if (error) this.#finish({ kind: 'died', started: this.started });
      });
    });
  }

  #finish(outcome: WorkerOutcome<Result>): void {
    const finish = this.#settle;
    this.#settle = null;
    finish?.(outcome);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets the child end by itself: it leaves when the channel closes, and nobody waits for it. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }
}

export type WorkerOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The job threw: a bug or a full disk, not the fault of one file. */
  | { readonly kind: 'failed'; readonly message: string; readonly started: number }
  /** Crashed or killed while it worked on file number `started` (1-based; 0 before the first). */
  | { readonly kind: 'died'; readonly started: number };
