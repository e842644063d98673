// Measures how long people and agents wait for a whole command, with a warm index.
//
//   npm run build && node bench/commands.mjs TREE... [--rounds 9] [--save]
//
// TREE is a git work tree (it is only read). Medians of the wall time of the process, its start included. A hook is asked
// about the same task again and again, and about another one each time: the package of a known task is kept. As in
// real use, the first hook starts a server that answers the next ones; "alone" is without a server.
// --save writes bench/runs/commands-<date>.json.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = join(here, '../bin/loadout.js');
const given = process.argv.slice(2);
const roundsAt = given.indexOf('--rounds');
const rounds = roundsAt < 0 ? 9 : Number(given[roundsAt + 1]);
const trees = given.filter((one, at) => !one.startsWith('--') && (roundsAt < 0 || at !== roundsAt + 1));
if (trees.length === 0) {
  console.error('usage: node bench/commands.mjs TREE... [--rounds 9] [--save]');
  process.exit(2);
}
const missing = trees.find((tree) => !existsSync(tree));
if (missing !== undefined) {
  console.error(`there is no folder ${missing}: name the folders of the repositories to try`);
  process.exit(2);
}
const cache = mkdtempSync(join(tmpdir(), 'loadout-commands-'));
// Without the gate every task gets its brief, so that all of the work is measured.
const env = { ...process.env, LOADOUT_CACHE_DIR: cache, LOADOUT_HOOK_GATE: 'off' };
const stopServer = () => spawnSync(process.execPath, [cli, 'serve', '--stop'], { env });
process.on('exit', () => {
  stopServer();
  rmSync(cache, { recursive: true, force: true });
});

/** Milliseconds. */
function times(tree, wordsOf, inputOf = () => '', variables = {}) {
  const found = [];
  // the first two do not count: they build the index and keep compiled code
  for (let round = -2; round < rounds; round++) {
    const started = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [cli, ...wordsOf(round)], {
      cwd: tree,
      input: inputOf(round),
      encoding: 'utf8',
      maxBuffer: 1e9,
      env: { ...env, ...variables },
    });
    if (round >= 0) found.push(performance.now() - started);
    if (status !== 0) throw new Error(stderr);
  }
  const sorted = found.sort((a, b) => a - b).map(Math.round);
  return { median: sorted[sorted.length >> 1], least: sorted[0], most: sorted.at(-1) };
}

const TASK = 'Fix the token refresh race in the session middleware';
const SUBJECTS = [
  'cache',
  'form',
  'query',
  'widget',
  'url',
  'loader',
  'queue',
  'editor',
  'webhook',
  'node',
  'locale',
];
let asked = 0;
/** A new task for each call. */
const another = () => {
  asked++;
  const [one, other] = [SUBJECTS[asked % SUBJECTS.length], SUBJECTS[(asked * 7 + 3) % SUBJECTS.length]];
  return `the ${one} loses the state of its ${other} after ${asked} retries`;
};
const hookInput = (tree, prompt) =>
  JSON.stringify({
    session_id: `bench-${Math.random()}`,
    cwd: tree,
    hook_event_name: 'PreToolUse',
    tool_name: 'Agent',
    tool_input: { description: 'bench', prompt, subagent_type: 'general-purpose' },
    tool_use_id: `use-${Math.random()}`,
  });

const results = [];
for (const tree of trees) {
  const root = resolve(tree);
  const hook = (taskOf, variables = {}) =>
    times(
      root,
      () => ['hook', 'pre-tool-use'],
      () => hookInput(root, taskOf()),
      variables,
    );
  const alone = { LOADOUT_WARM_SERVER: 'running' };
  const beside = async (taskOf) => {
    hook(taskOf);
    // the server is asked as soon as it is warm
    while (!existsSync(join(cache, 'server.json'))) await pause(100);
    return hook(taskOf);
  };
  const measured = {
    scan: times(root, () => ['scan', '--quiet']),
    rank: times(root, () => ['rank', TASK]),
    pack: times(root, () => ['pack', TASK, '--budget', '30k']),
    prompt: times(root, () => ['prompt', TASK, '--role', 'implementer']),
    'hook alone, same task': hook(() => TASK, alone),
    'hook alone, another task': hook(another, alone),
    'hook, same task': await beside(() => TASK),
    'hook, another task': await beside(another),
  };
  stopServer();
  rmSync(join(cache, 'hook'), { recursive: true, force: true });
  console.log(`${basename(root)} (load ${loadavg()[0].toFixed(1)})`);
  for (const [name, { median, least, most }] of Object.entries(measured))
    console.log(`  ${name.padEnd(25)} median ${median} ms, least ${least}, most ${most}`);
  results.push({ tree: basename(root), milliseconds: measured });
}
if (given.includes('--save')) {
  const machine = `${cpus().length} x ${cpus()[0]?.model.split(' ').slice(0, 2).join(' ')}`;
  const file = join(here, 'runs', `commands-${new Date().toISOString().slice(0, 10)}.json`);
  const report = { node: process.version, machine, loadAverage: loadavg()[0], results };
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
