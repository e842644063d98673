// Runs agents and gates so that none of their processes is left. They are found by process group, by a mark in the
// environment and by folder; a watchdog ends them when this process is killed.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isInsideRoot } from '../fs/path-codec.ts';
import { processState } from './process-identity.ts';
import { type ProcessOptions, type ProcessResult, runProcess } from './process-runner.ts';

interface ContainedOptions extends Omit<ProcessOptions, 'endStrays' | 'env'> {
  /** The id by which everything that is started here can be found again. */
  readonly run: string;
  /** The WHOLE environment; the mark of the run is added. */
  readonly env: Readonly<Record<string, string>>;
  /** Processes that work in this folder belong to the run. */
  readonly folder: string | null;
  /** False as long as others may be working in the folder. */
  readonly ownsFolder?: () => boolean;
  readonly onStart?: (pid: number) => void;
}

/**
 * Runs a program of which nothing is left when the promise settles: not in its process group, not in a session of
 * its own, and not when this process is killed meanwhile.
 */
export async function runContained(
  command: string,
  args: readonly string[],
  { run, folder, ownsFolder = () => true, env, onStart, ...options }: ContainedOptions,
): Promise<ProcessResult> {
  const watchdog = startWatchdog(run, folder);
  const outer = env[RUN_VARIABLE];
  const marked = { ...env, [RUN_VARIABLE]: outer ? `${outer}:${run}` : run };
  const endStrays = () => void endProcessesOfRun(run, ownsFolder() ? folder : null);
  try {
    return await runProcess(command, args, { ...options, env: marked, endStrays }, (pid) => {
      watchdog.watch(pid);
      onStart?.(pid);
    });
  } finally {
    endStrays();
    watchdog.stop();
  }
}

/**
 * Waits for the end of its input. Without a `done` before it, Loadout was killed, and everything it started must end:
 * the process group, then every process that carries the run's id or works in its folder. A process with a terminal is
 * a user who is only looking.
 */
const SCRIPT = `
run=$1 folder=$2 group=
while read -r line; do
  case $line in done) exit 0;; *) group=$line;; esac
done
[ -n "$group" ] && kill -KILL -- "-$group" 2>/dev/null
[ -r /proc/self/environ ] || exit 0
for round in 1 2 3 4 5 6 7 8; do
  found=$(
    for file in $(grep -lsF -e "$run" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}; echo "\${pid%/environ}"
    done
    [ -n "$folder" ] && ls -ld /proc/[0-9]*/cwd 2>/dev/null | while read -r line; do
      case $line in *" -> $folder"|*" -> $folder/"*|*" -> $folder (deleted)")
        pid=\${line#*/proc/}; pid=\${pid%%/*}
        read -r stat < "/proc/$pid/stat" && set -- \${stat##*) } && [ "$5" = 0 ] && echo "$pid";;
      esac
    done
  )
  none=1
  for pid in $found; do kill -KILL "$pid" 2>/dev/null && none=; done
  [ -n "$none" ] && exit 0
done
`;

interface ProcessWatchdog {
  /** The process group that ends when Loadout is killed. */
  watch(group: number): void;
  stop(): void;
}

/** A small shell that outlives this process when it is killed, and cleans up after it. */
function startWatchdog(run: string, folder: string | null): ProcessWatchdog {
  if (process.platform === 'win32') return { watch: () => {}, stop: () => {} };
  const shell = spawn('/bin/sh', ['-c', SCRIPT, 'sh', run, folder ?? ''], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    // In our own group it would be killed with us.
    detached: true,
  });
  // Without it the next start still finds what is left.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  shell.unref();
  (shell.stdin as unknown as { unref?: () => void }).unref?.();
  return {
    watch: (group) => void shell.stdin.write(`${group}\n`),
    stop: () => void shell.stdin.end('done\n'),
  };
}

/** Every process of a run carries the run's id in this variable; a run inside a run adds its own after a colon. */
export const RUN_VARIABLE = 'LOADOUT_RUN';

const MAX_ROUNDS = 40;
/** The parent of all threads of the kernel. */
const KERNEL = 2;

/**
 * Living processes of a run, wherever they are: those that carry its id, those that work in its folder, and the
 * children of both. Only Linux shows this; elsewhere the answer is empty and only the process group is used.
 */
function processesOfRun(run: string, folder: string | null): readonly number[] {
  if (process.platform !== 'linux') return [];
  const parents = new Map<number, number>();
  const found = new Set<number>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const state = processState(pid);
    if (state === null || state.isDead) continue;
    // the kernel's own threads, which are most of the list, belong to no run
    if (state.parent === KERNEL || pid === KERNEL) continue;
    parents.set(pid, state.parent);
    // A user at a terminal may be looking around in the folder.
    const isStray = folder !== null && !state.hasTerminal && worksIn(pid, folder);
    if (isStray || carries(pid, run)) found.add(pid);
  }
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.add(child);
  return [...found];
}

/** Ends them all; those that start others meanwhile are met in the next round. True when none is left. */
export function endProcessesOfRun(run: string, folder: string | null): boolean {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const pids = processesOfRun(run, folder);
    if (pids.length === 0) return true;
    for (const pid of pids) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // already gone, or owned by another user
      }
    }
  }
  return false;
}

function carries(pid: number, run: string): boolean {
  const environ = quietly(() => readFileSync(`/proc/${pid}/environ`, 'latin1'));
  if (environ === null || !environ.includes(run)) return false;
  const prefix = `${RUN_VARIABLE}=`;
  const entry = environ.split('\0').find((one) => one.startsWith(prefix));
  return entry?.slice(prefix.length).split(':').includes(run) ?? false;
}

function worksIn(pid: number, folder: string): boolean {
  const cwd = quietly(() => readlinkSync(`/proc/${pid}/cwd`));
  return cwd !== null && isInsideRoot(folder, cwd.replace(/ \(deleted\)$/, ''));
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
