import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { errorCode } from '../error-code.ts';
import { processState } from './process-state.ts';

/** Enough to tell a living process from a dead one, and from another that got the same number later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Ticks since boot, where the system tells. */
  readonly startTime: string | null;
  readonly host: string;
  /** Changes with every boot. */
  readonly boot: string | null;
  /** The container: process numbers of another one mean nothing here. */
  readonly pidNamespace: string | null;
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: processState(process.pid)?.startTime ?? null,
    host: hostname(),
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()),
    pidNamespace: quietly(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** False only when it is certain: whoever cannot be seen from here counts as alive. */
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
