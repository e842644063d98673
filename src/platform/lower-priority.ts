import { constants, setPriority } from 'node:os';

/** A process whose answer nobody waits for takes only what others leave. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // gone already, or not allowed here: it only takes more
  }
}
