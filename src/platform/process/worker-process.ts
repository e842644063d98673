// Processes of this program: the parent's handle on a parser process, the loop that answers jobs inside it, a
// process that ends with its parent, and a server that outlives it.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { keepCompiledCode, useCodeFolder } from '../cache/load-script.ts';
import type { Environment } from '../environment.ts';
import { builtProgram, STANDBY_NODE_OPTIONS } from '../host.ts';
import { processCpuMs } from './process-identity.ts';

/** A message to the worker: a job, and the number under which it reports progress. */
interface WorkerMessage<Job> {
  readonly number: number;
  readonly job: Job;
}

const PROGRESS_DESCRIPTOR = 4;
const LOOK_MS = 200;

/** A child process that takes one job at a time and can be killed when a job hangs. */
export class WorkerProcess<Job, Result> {
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

  /** Time that the worker has worked; null where that is unknown. */
  get cpuMs(): number | null {
    return this.#child.pid === undefined ? null : processCpuMs(this.#child.pid);
  }

  /** `patienceMs` tells how long the worker may be silent, given how many files it has begun. */
  run(job: Job, patienceMs: (started: number) => number): Promise<WorkerOutcome<Result>> {
    const message: WorkerMessage<Job> = { number: ++this.#job, job };
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

  /** Ends it at once; the job that it works on is reported as died. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Lets the child end by itself: it exits when the channel closes, and the parent does not wait for it. */
  close(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.unref();
  }
}

type WorkerOutcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  /** The job threw: a bug or a full disk, not the fault of one file. */
  | { readonly kind: 'failed'; readonly message: string; readonly started: number }
  /** Crashed or killed while it worked on file number `started` (1-based; 0 before the first). */
  | { readonly kind: 'died'; readonly started: number };

/**
 * Two numbers that one process writes and another reads: which job, and how far it has come. A nameless file
 * costs the writer two microseconds and wakes no process; a pipe would cost fifty, for each of thousands of files.
 */
const BYTES = 8;

/** The reader's end; `descriptor` is for the writer to inherit. */
class ProgressFile {
  readonly descriptor: number;
  readonly #bytes = Buffer.alloc(BYTES);
  #isOpen = true;

  constructor(unique: string) {
    const path = join(tmpdir(), `loadout-progress-${unique}`);
    this.descriptor = openSync(path, 'wx+', 0o600);
    rmSync(path, { force: true });
  }

  /** How far the given job has come; 0 while the writer is still at another one. */
  read(job: number): number {
    if (!this.#isOpen) return 0;
    const read = readSync(this.descriptor, this.#bytes, 0, BYTES, 0);
    return read === BYTES && this.#bytes.readUInt32LE(0) === job ? this.#bytes.readUInt32LE(4) : 0;
  }

  close(): void {
    if (this.#isOpen) closeSync(this.descriptor);
    this.#isOpen = false;
  }
}

/** The writer's end, on a descriptor that it inherited. */
function writeProgress(descriptor: number, bytes: Buffer, job: number, done: number): void {
  bytes.writeUInt32LE(job, 0);
  bytes.writeUInt32LE(done, 4);
  writeSync(descriptor, bytes, 0, BYTES, 0);
}

/** The child's side of `WorkerProcess`: answers jobs until the parent is gone. After a job that leaves time it tidies up. */
export function serveJobs<Job, Result>(
  work: (job: Job, begun: () => void) => Promise<Result>,
  leavesTime: (job: Job) => boolean,
): void {
  const bytes = Buffer.alloc(8);
  const [parent, codeFolder] = process.argv.slice(2);
  if (codeFolder) useCodeFolder(codeFolder);
  let isWatched = false;
  // an error event without a listener would print a stack trace into the output of the command
  const say = (message: object) => process.send?.(message, (error: Error | null) => error && process.exit(0));
  process.on('message', async (message) => {
    const { number, job } = message as WorkerMessage<Job>;
    if (!isWatched) endWithParent(Number(parent) || process.ppid);
    isWatched = true;
    let done = 0;
    try {
      const result = await work(job, () => writeProgress(PROGRESS_DESCRIPTOR, bytes, number, ++done));
      // before the answer: the parent may exit once it has it, and nothing must be written after that
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

/** A thread of its own: a parser that loops for ever lets no timer of the main thread run. */
const WATCH = `
const { workerData: parent } = require('node:worker_threads');
setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, 500);
`;

/** Ends this process within a second of the end of its parent, whatever it is doing. */
export function endWithParent(parent: number): void {
  const thread = new Worker(WATCH, {
    eval: true,
    workerData: parent,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
  });
  // a process that cannot have another thread still ends with its channel, unless it hangs
  thread.on('error', () => {});
  thread.unref();
}

/** Starts our own command line in a process that outlives this one and prints nothing. */
export function startApart(words: readonly string[], cwd: string, environment: Environment): void {
  const child = spawn(process.execPath, [...STANDBY_NODE_OPTIONS, builtProgram('cli.cjs'), ...words], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { ...environment },
    windowsHide: true,
  });
  child.on('error', () => {});
  child.unref();
}
