import { readFileSync } from 'node:fs';

/** A process as Linux tells it. */
export interface ProcessState {
  /** Ended, and only not buried yet. */
  readonly isDead: boolean;
  readonly parent: number;
  readonly group: number;
  readonly hasTerminal: boolean;
  /** For which it has worked, its threads added up: in hundredths of a second, whatever the kernel's own clock does. */
  readonly ticks: number;
  /** Since boot: of two processes with the same number, one started later. */
  readonly startTime: string;
}

/** Null for a process that is gone, and where nobody can tell. */
export function processState(pid: number): ProcessState | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The program's name stands in parentheses and may hold anything, closing ones included.
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
