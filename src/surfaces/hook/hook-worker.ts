import { parentPort, workerData } from 'node:worker_threads';
import type { HookJob } from './hook-message.ts';
import { loadHookWork } from './load-hook-work.ts';

const port = parentPort;
if (port)
  loadHookWork(workerData as HookJob, {
    onInput: (use) => port.once('message', use),
    say: (message) => port.postMessage(message),
  });
