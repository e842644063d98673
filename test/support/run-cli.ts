import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { descendantsOf, peakMemoryOf } from './process-tree.ts';

export const CLI = fileURLToPath(new URL('../../bin/loadout.js', import.meta.url));

export interface CliRun {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Most memory of the process and its children together, in bytes; 0 unless it was to be measured. */
  readonly peakMemory: number;
}

export interface CliOptions {
  readonly cwd?: string;
  readonly cache?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another user to run as; needs root. */
  readonly userId?: number;
  readonly measureMemory?: boolean;
  /** A program to put in front, such as a tracer. */
  readonly under?: readonly string[];
  /** Called once the process runs; it leads a process group of its own. */
  readonly started?: (child: ChildProcess) => void;
}

/** The built command line in a process of its own. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  if (!existsSync(fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url))))
    throw new Error('dist/ is missing: run "npm run build" first');
  const [program = process.execPath, ...before] = options.under ?? [];
  const line = options.under ? [...before, process.execPath, CLI, ...args] : [...before, CLI, ...args];
  const child = spawn(program, line, {
    cwd: options.cwd ?? process.cwd(),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH ?? '',
      HOME: options.cache ?? '/nonexistent',
      ...(options.cache === undefined ? {} : { LOADOUT_CACHE_DIR: options.cache }),
      // nothing that outlives a test, unless the test is about it
      LOADOUT_WARM_SERVER: 'running',
      ...options.env,
    },
    ...(options.userId === undefined ? {} : { uid: options.userId, gid: options.userId }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  let peakMemory = 0;
  const measure = () => {
    if (child.pid === undefined) return;
    const all = [child.pid, ...descendantsOf(child.pid)];
    peakMemory = Math.max(
      peakMemory,
      all.reduce((sum, pid) => sum + peakMemoryOf(pid), 0),
    );
  };
  const timer = options.measureMemory ? setInterval(measure, 40) : undefined;
  options.started?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode, signal) => {
      clearInterval(timer);
      resolve({ exitCode, signal, stdout, stderr, peakMemory });
    });
  });
}
