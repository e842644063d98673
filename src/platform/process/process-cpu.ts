import { processState } from './process-state.ts';

const TICK_MS = 10;

/** Time that a process has worked, its threads added up; null where that cannot be told. */
export function processCpuMs(pid: number): number | null {
  const state = processState(pid);
  return state && state.ticks * TICK_MS;
}

/** The same of this process. */
export function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
