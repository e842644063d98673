// Runs a command and measures it: wall time, CPU time of the whole process tree, largest resident set.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS = 100;

/** Resident bytes of a process and its descendants, and the CPU seconds of the latter, from /proc. */
function treeUsage(rootPid) {
  const found = new Map();
  for (const entry of listProcesses()) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [parent, user, system, pages] = [1, 11, 12, 21].map((at) => Number(fields[at]));
      found.set(Number(entry), { parent, cpu: (user + system) / TICKS, resident: pages * 4096 });
    } catch {
      // gone in the meantime
    }
  }
  const usage = { resident: 0, cpuBelow: 0 };
  for (const [pid, { cpu, resident }] of found) {
    let at = pid;
    while (at && at !== rootPid) at = found.get(at)?.parent;
    if (at !== rootPid) continue;
    usage.resident += resident;
    if (pid !== rootPid) usage.cpuBelow += cpu;
  }
  return usage;
}

function listProcesses() {
  try {
    return readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
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
  // the sums leave out processes that no parent waits for, so their last known use is added
  let cpuOfOthers = 0;
  const watch = setInterval(() => {
    const { resident, cpuBelow } = treeUsage(child.pid);
    peak = Math.max(peak, resident);
    if (resident > 0) cpuOfOthers = cpuBelow;
  }, 50);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${code}\n${errors}`);
  return {
    wall: (performance.now() - started) / 1000,
    cpu: childCpuSeconds() - cpuBefore + cpuOfOthers,
    peakMb: Math.round(peak / 1e6),
  };
}

/** The best of several runs, by CPU time: other work on the machine only adds to it. */
export const cheapest = (runs) => runs.reduce((best, one) => (one.cpu < best.cpu ? one : best));

/** Runs it several times. */
export async function best(times, run) {
  const found = [];
  for (let at = 0; at < times; at++) found.push(await run());
  return cheapest(found);
}

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
