import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isInsideRoot } from '../fs/path-codec.ts';
import { processState } from './process-identity.ts';

/** Every process of a run carries the run's id in this variable; a run inside a run adds its own behind a colon. */
export const RUN_VARIABLE = 'LOADOUT_RUN';

const MAX_ROUNDS = 40;
/** The parent of all threads of the kernel. */
const KERNEL = 2;

/**
 * Living processes of a run, wherever they went: those that carry its id, those that work in its folder, and the
 * children of both. Only Linux can tell; elsewhere the answer is empty and the process group has to do.
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
        // gone meanwhile, or not ours to end
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
