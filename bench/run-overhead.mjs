// Measures the cost of a run beyond the agent itself: the agent answers after a moment, and work tree and index are warm.
//
//   node bench/run-overhead.mjs --repo DIR [--rounds 15] [--build dist] [--boot-ms 130] [--agent-ms 500] [--library]
//     [--steps]
//
// The agent reads its prompt when it has started. The start of the real agents was measured by giving them the prompt
// later and later, until their answer came later too: codex 130 ms, claude 200, gemini more than 400 (2 virtual cores).
// When it waits longer for its prompt, the time is ours; with `--boot-ms 0` all of it is.
// An agent takes seconds at least, and meanwhile Loadout collects the facts for the record; with `--agent-ms 0` there is
// no such time. `DIR` is a git repository; the records of the runs stay out of it. Exits with 1 when the median is 300 ms or more.
// "library" is runRole() in a process that goes on; "command" is `loadout run`, from the start of its process to the end,
// beside the server that the first one leaves; "alone" is the same without a server.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const LIMIT_MS = 300;
const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const repo = option('repo', null);
if (repo === null) {
  console.error('name a repository: node bench/run-overhead.mjs --repo DIR');
  process.exit(2);
}
const rounds = Number(option('rounds', 15));
const [bootSeconds, agentSeconds] = [option('boot-ms', 130), option('agent-ms', 500)].map((ms) => ms / 1000);
const build = resolve(root, option('build', 'dist'));

const work = mkdtempSync(join(tmpdir(), 'loadout-run-'));
process.on('exit', () => {
  spawnSync(process.execPath, [join(build, 'cli.cjs'), 'serve', '--stop'], { env });
  rmSync(work, { recursive: true, force: true });
});
const repository = join(work, 'repository');
const clone = spawnSync('git', ['clone', '--quiet', '--shared', resolve(repo), repository]);
if (clone.status !== 0) throw new Error(String(clone.stderr));
// As in real use: git has looked at its files since they were written, in another second.
spawnSync('sleep', ['1.1']);
spawnSync('git', ['status', '--short'], { cwd: repository });

const answer =
  'Done.\\n```json\\n{\\"status\\":\\"SUCCESS\\",\\"action_taken\\":\\"x\\",\\"next_step\\":null}\\n```';
const AGENT = `#!/bin/sh
case "$1" in --version) echo "2.1.0 (Claude Code)"; exit 0;; esac
date +%s%N > "$HOME/agent-times"
sleep ${bootSeconds}
date +%s%N >> "$HOME/agent-times"
cat > /dev/null
date +%s%N >> "$HOME/agent-times"
sleep ${agentSeconds}
echo changed > written-by-the-agent.txt
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"${answer}","session_id":"s1","total_cost_usd":0.01,"usage":{"input_tokens":10,"output_tokens":4}}'
date +%s%N >> "$HOME/agent-times"
`;
mkdirSync(join(work, 'bin'));
writeFileSync(join(work, 'bin/claude'), AGENT);
chmodSync(join(work, 'bin/claude'), 0o755);
const env = {
  PATH: [join(work, 'bin'), process.env.PATH].join(delimiter),
  HOME: join(work, 'home'),
  LOADOUT_CACHE_DIR: join(work, 'cache'),
};
mkdirSync(env.HOME);
Object.assign(process.env, { HOME: env.HOME, LOADOUT_CACHE_DIR: env.LOADOUT_CACHE_DIR });

const task = 'Fix the order of migrations that depend on each other in the autodetector';
const { createRunEnvironment, runRole } = await import(pathToFileURL(join(build, 'run.js')));
const environment = createRunEnvironment({ env });

/** CPU time of all children that have ended; in steps of 10 ms. */
function childCpuMs() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Measured by the agent itself: the time to start, watch and end it is ours. Also how long it waits for its prompt. */
function agentTimeMs() {
  const times = readFileSync(join(env.HOME, 'agent-times'), 'utf8').trim().split('\n').map(BigInt);
  const [from, up, begin, to] = times;
  return Number(up - from + (to - begin)) / 1e6;
}

async function runInProcess() {
  const [started, cpu, childCpu] = [performance.now(), process.cpuUsage(), childCpuMs()];
  const handle = runRole({ repository, task, role: 'implementer' }, environment);
  const steps = [];
  for await (const event of handle.events) {
    const { user, system } = process.cpuUsage(cpu);
    steps.push([event.type, performance.now() - started, (user + system) / 1000]);
  }
  const { outcome, message } = await handle.result;
  if (outcome !== 'passed') throw new Error(message);
  const totalMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = { own: (user + system) / 1000, children: childCpuMs() - childCpu };
  const agentMs = agentTimeMs();
  return { overheadMs: totalMs - agentMs, agentMs, cpuMs, steps };
}

/** Only processes with the same variables ask a server. */
function runCommand(variables = {}) {
  const [started, before] = [performance.now(), childCpuMs()];
  const child = spawnSync(process.execPath, [join(build, 'cli.cjs'), '--json', 'run', task], {
    ...{ cwd: repository, env: { ...env, ...variables }, encoding: 'utf8' },
  });
  const totalMs = performance.now() - started;
  if (child.status !== 0) throw new Error(child.stdout + child.stderr);
  const agentMs = agentTimeMs();
  return { overheadMs: totalMs - agentMs, agentMs, cpuMs: { all: childCpuMs() - before }, steps: [] };
}

/** It is asked as soon as it is warm; a few runs later its code is compiled. */
async function warmServer() {
  runCommand();
  while (!existsSync(join(env.LOADOUT_CACHE_DIR, 'server.json'))) await pause(100);
  for (let round = 0; round < 3; round += 1) runCommand();
}

/** The cost of starting any program: hosts differ more than commands do. */
function emptyProgramMs() {
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { env });
    return performance.now() - started;
  });
  return Math.round(median(times));
}

const median = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];
const cold = await runInProcess();
console.log(`first run (checkout and index): ${(cold.overheadMs / 1000).toFixed(1)} s`);
await runInProcess();
const measured = { library: [], command: [], alone: [] };
if (!process.argv.includes('--library')) await warmServer();
for (let round = 0; round < rounds; round += 1) {
  measured.library.push(await runInProcess());
  if (!process.argv.includes('--library')) {
    measured.command.push(runCommand());
    measured.alone.push(runCommand({ LOADOUT_WARM_SERVER: 'running', LOADOUT_ALONE: '1' }));
  }
}
let isGood = true;
for (const [name, runs] of Object.entries(measured)) {
  if (runs.length === 0) continue;
  const overhead = runs.map(({ overheadMs }) => overheadMs);
  const cpu = (part) => Math.round(median(runs.map(({ cpuMs }) => cpuMs?.[part] ?? 0)));
  const shown = [median(overhead), Math.min(...overhead), Math.max(...overhead)].map(Math.round);
  console.log(
    `${name.padEnd(8)} median ${shown[0]} ms, least ${shown[1]}, most ${shown[2]}` +
      `; agent ${Math.round(median(runs.map(({ agentMs }) => agentMs)))} ms` +
      (name === 'library'
        ? `; CPU: own ${cpu('own')} ms, git and agent ${cpu('children')} ms`
        : `; CPU of all: ${cpu('all')} ms`),
  );
  if (name !== 'alone' && shown[0] >= LIMIT_MS) isGood = false;
}
console.log(`an empty program takes ${emptyProgramMs()} ms here; load ${loadavg()[0].toFixed(1)}`);
if (process.argv.includes('--steps')) {
  const names = measured.library[0].steps.map(([name]) => name);
  let before = [0, 0];
  for (const [at, name] of names.entries()) {
    const now = [1, 2].map((field) => median(measured.library.map(({ steps }) => steps[at]?.[field] ?? 0)));
    const [time, cpu] = now.map((value, field) => Math.round(value - before[field]));
    console.log(`${String(time).padStart(6)} ms, own CPU ${String(cpu).padStart(4)} ms  until ${name}`);
    before = now;
  }
}
process.exitCode = isGood ? 0 : 1;
