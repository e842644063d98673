import { readdirSync, readFileSync } from 'node:fs';

interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}

function factsOf(pid: number): ProcessFacts | null {
  try {
    // the name in parentheses may itself hold blanks and parentheses
    const [state = '', parent = '0'] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    return { pid, parent: Number(parent), state };
  } catch {
    return null;
  }
}

function allProcesses(): ProcessFacts[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => factsOf(Number(name)))
    .filter((facts): facts is ProcessFacts => facts !== null && facts.state !== 'Z');
}

/** Living descendants, the process itself not included. */
export function descendantsOf(root: number): number[] {
  const all = allProcesses();
  const found = [root];
  for (const parent of found)
    for (const facts of all) if (facts.parent === parent && facts.pid !== root) found.push(facts.pid);
  return found.slice(1);
}

/** Arguments and environment of a process; empty when it is gone. */
function wordsOf(pid: number): string {
  try {
    return ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${pid}/${file}`, 'latin1')).join('\0');
  } catch {
    return '';
  }
}

/** Living processes with this text in their arguments or environment. */
export function processesWith(word: string): number[] {
  return allProcesses()
    .map(({ pid }) => pid)
    .filter((pid) => wordsOf(pid).includes(word));
}

/** Those that parse for this process. */
export function parserProcesses(): number[] {
  return descendantsOf(process.pid).filter((pid) => wordsOf(pid).includes('scan-worker'));
}

/** Largest resident memory that a process has ever had, in bytes. */
export function peakMemoryOf(pid: number): number {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
