import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { workerModule } from '../../platform/host.ts';
import type { HookJob, HookMessage } from './hook-message.ts';

export type HookOutcome = { readonly answer: string } | { readonly problem: string };

/** The thread that does the work, started before there is anything to do. */
export interface HookThread {
  /** What the thread has said on the way; empty as long as it is not known. */
  readonly progress: { root: string; wantsServer: boolean };
  /** Never rejects. */
  readonly outcome: Promise<HookOutcome>;
  begin(input: string): void;
}

export function startHookThread(job: HookJob): HookThread {
  // the thread ends before optimized code would pay: without it a quarter of the work is saved
  setFlagsFromString('--no-opt');
  const worker = new Worker(workerModule('hook-worker'), {
    workerData: { ...job, environment: { ...job.environment } },
    // what a thread prints must not mix with the answer
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const progress = { root: '', wantsServer: false };
  const outcome = new Promise<HookOutcome>((resolve) => {
    worker.on('message', (message: HookMessage) => {
      if (message.kind === 'repository') progress.root = message.root;
      else if (message.kind === 'server') progress.wantsServer = true;
      else if (message.kind === 'answer') resolve({ answer: message.text });
      else resolve({ problem: message.problem });
    });
    worker.on('error', (error) => resolve({ problem: error.message }));
    worker.on('exit', () => resolve({ problem: 'the thread that answers has ended' }));
  });
  return { progress, outcome, begin: (input) => worker.postMessage(input) };
}
