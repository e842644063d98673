// Tells living processes from dead ones, also after their number was used again.

import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../../model/loadout-error.ts';

/** Enough to tell a living process from a dead one, and from another that got the same number later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since boot, if the system reports them. */
  readonly startTime: string | null;
  readonly host: string;
  /** Changes with every boot. */
  readonly boot: string | null;
  /** The container: process numbers of another one mean nothing here. */
  readonly pidNamespace: string | null;
}

/** The identity of this process, for locks and leases that other processes read. */
export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: processState(process.pid)?.startTime ?? null,
    host: hostname(),
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    pidNamespace: quietly(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** False only when it is certain. A process that cannot be seen from here counts as alive. */
export function mayBeAlive(other: ProcessIdentity): boolean {
  const self = ownIdentity();
  if (other.host !== self.host) return true;
  if (other.boot !== self.boot) return other.boot === null || self.boot === null;
  if (other.pidNamespace !== self.pidNamespace) return true;
  if (!pidExists(other.pid)) return false;
  const state = processState(other.pid);
  if (state === null) return true;
  if (state.isDead) return false;
  return other.startTime === null || other.startTime === state.startTime;
}

function pidExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}

function quietly<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

const TICK_MS = 10;

/** The CPU time of all threads of a process; null where that is unknown. */
export function processCpuMs(pid: number): number | null {
  const state = processState(pid);
  return state && state.ticks * TICK_MS;
}

/** The CPU time of this process. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A process as Linux tells it. */
interface ProcessState {
  /** Ended, but its parent has not collected it yet. */
  readonly isDead: boolean;
  readonly parent: number;
  readonly group: number;
  readonly hasTerminal: boolean;
  /** CPU time of all its threads, in hundredths of a second, whatever the kernel's own clock does. */
  readonly ticks: number;
  /** Since boot: of two processes with the same number, one started later. */
  readonly startTime: string;
}

/** Null for a process that is gone, and on systems without `/proc`. */
export function processState(pid: number): ProcessState | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The program's name is in parentheses and may hold anything, closing ones included.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const startTime = fields[19];
  if (startTime === undefined) return null;
  return {
    isDead: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    hasTerminal: fields[4] !== '0',
    ticks: Number(fields[11]) + Number(fields[12]),
    startTime,
  };
}
