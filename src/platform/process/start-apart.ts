import { spawn } from 'node:child_process';
import type { Environment } from '../environment.ts';
import { builtProgram, STANDBY_NODE_OPTIONS } from '../host.ts';

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
