import { Worker } from 'node:worker_threads';
import { builtProgram } from '../../platform/host.ts';
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
  const worker = new Worker(builtProgram('hook-worker.cjs'), {
    workerData: { ...job, environment: { ...job.environment } },
    // what a thread prints must not mix with the answer
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  });
  const { heard, ended, ...thread } = listenTo();
  worker.on('message', heard);
  worker.on('error', (error) => ended(error.message));
  worker.on('exit', () => ended('the thread that answers has ended'));
  return { ...thread, begin: (input) => worker.postMessage(input) };
}

/** What is said on the way to an outcome, put together. */
export function listenTo(): Omit<HookThread, 'begin'> & {
  readonly heard: (message: HookMessage) => void;
  readonly ended: (problem: string) => void;
} {
  const progress = { root: '', wantsServer: false };
  let settle: (outcome: HookOutcome) => void = () => {};
  const outcome = new Promise<HookOutcome>((resolve) => {
    settle = resolve;
  });
  const heard = (message: HookMessage) => {
    if (message.kind === 'repository') progress.root = message.root;
    else if (message.kind === 'server') progress.wantsServer = true;
    else if (message.kind === 'answer') settle({ answer: message.text });
    else settle({ problem: message.problem });
  };
  return { progress, outcome, heard, ended: (problem) => settle({ problem }) };
}
