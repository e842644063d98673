// Runs a command and says what it took: wall time, CPU time of the whole process tree, largest resident set.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS = 100;

/** CPU seconds and resident bytes of a process and its descendants, from /proc; null where there is none. */
function treeUsage(rootPid) {
  const parents = new Map();
  const resident = new Map();
  try {
    for (const entry of readdirSync('/proc')) {
      if (!/^\d+$/.test(entry)) continue;
      try {
        const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
        const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        parents.set(Number(entry), Number(fields[1]));
        resident.set(Number(entry), Number(fields[21]) * 4096);
      } catch {
        // gone in the meantime
      }
    }
  } catch {
    return null;
  }
  let sum = 0;
  for (const pid of resident.keys()) {
    let at = pid;
    while (at && at !== rootPid) at = parents.get(at);
    if (at === rootPid) sum += resident.get(pid);
  }
  return sum;
}

function childCpuSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // cutime and cstime: children that have been waited for, with theirs
  return (Number(fields[13]) + Number(fields[14])) / TICKS;
}

/** One run. The exit code is checked, the output thrown away. */
export async function measure(command, args, { cwd, env = {} } = {}) {
  const cpuBefore = childCpuSeconds();
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (bytes) => {
    errors = (errors + bytes).slice(-2000);
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, treeUsage(child.pid) ?? 0);
  }, 50);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${code}\n${errors}`);
  return {
    wall: (performance.now() - started) / 1000,
    cpu: childCpuSeconds() - cpuBefore,
    peakMb: Math.round(peak / 1e6),
  };
}

/** The best of several runs, by CPU time: what the machine does besides only ever adds. */
export async function best(times, run) {
  let found = null;
  for (let at = 0; at < times; at++) {
    const one = await run();
    if (!found || one.cpu < found.cpu) found = one;
  }
  return found;
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
