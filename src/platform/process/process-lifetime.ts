// Processes whose end is tied to ours, or is not: a worker that ends with its parent, and a server that
// outlives it.

import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';
import type { Environment } from '../environment.ts';
import { builtProgram, STANDBY_NODE_OPTIONS } from '../host.ts';

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

/** Starts our own command line in a process that outlives this one and says nothing. */
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
