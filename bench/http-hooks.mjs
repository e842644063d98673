// Measures how long an agent waits for a hook that the server answers over HTTP.
//
//   npm run build && node bench/http-hooks.mjs TREE... [--rounds 25] [--save]
//
// TREE is a git work tree (it is only read). The server has its index open; each hook is about another task, so that no
// package is known. Wall time of the request; a few that compile the code do not count. --save writes
// bench/runs/http-hooks-<date>.json.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const cli = join(here, '../bin/loadout.js');
const given = process.argv.slice(2);
const roundsAt = given.indexOf('--rounds');
const rounds = roundsAt < 0 ? 25 : Number(given[roundsAt + 1]);
const trees = given.filter((one, at) => !one.startsWith('--') && (roundsAt < 0 || at !== roundsAt + 1));
if (trees.length === 0) {
  console.error('usage: node bench/http-hooks.mjs TREE... [--rounds 25] [--save]');
  process.exit(2);
}
const WARM_UP = 5;
const TOKEN = 'only-for-this-measurement';
const WORDS = 'cache form query widget url loader queue editor webhook node locale'.split(' ');
const taskOf = (round) =>
  `the ${WORDS[round % WORDS.length]} loses the state of its ${WORDS[(round * 7 + 3) % WORDS.length]} after ${round} retries`;

const results = [];
for (const tree of trees.map((one) => resolve(one))) results.push(await measureTree(tree));
console.log(
  `${process.version}, ${cpus().length} x ${cpus()[0]?.model.trim()}, load ${loadavg()[0].toFixed(2)}`,
);
console.table(results);
if (given.includes('--save')) {
  const name = `http-hooks-${new Date().toISOString().slice(0, 10)}.json`;
  writeFileSync(join(here, 'runs', name), `${JSON.stringify({ node: process.version, results }, null, 2)}\n`);
}

async function measureTree(tree) {
  const cache = mkdtempSync(join(tmpdir(), 'loadout-http-'));
  // Without the gate every task gets its brief, so that all of the work is measured.
  const own = { LOADOUT_CACHE_DIR: cache, LOADOUT_SERVER_TOKEN: TOKEN, LOADOUT_HOOK_GATE: 'off' };
  const env = { ...process.env, ...own };
  const server = spawn(process.execPath, [cli, 'serve', '--json'], {
    cwd: tree,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const address = await addressOf(server);
    // announced once it is warm
    while (!existsSync(join(cache, 'server.json'))) await pause(200);
    const found = [];
    for (let round = 0; round < WARM_UP + rounds; round++) found.push(await ask(address, tree, round));
    const sorted = found.slice(WARM_UP).sort((a, b) => a - b);
    const at = (share) => Math.round(sorted[Math.floor((sorted.length - 1) * share)]);
    return { tree: basename(tree), median: at(0.5), least: at(0), most: at(1) };
  } finally {
    server.kill();
    rmSync(cache, { recursive: true, force: true, maxRetries: 5 });
  }
}

function addressOf(server) {
  return new Promise((found, failed) => {
    let said = '';
    server.on('exit', (code) => failed(new Error(`the server ended with ${code}`)));
    server.stdout.on('data', (text) => {
      said += text;
      if (said.includes('\n')) found(JSON.parse(said).address);
    });
  });
}

/** Milliseconds. */
async function ask(address, tree, round) {
  const body = JSON.stringify({
    session_id: `session-${round}`,
    cwd: tree,
    hook_event_name: 'PreToolUse',
    tool_name: 'Agent',
    tool_input: { description: 'a task', prompt: taskOf(round), subagent_type: 'general-purpose' },
    tool_use_id: `use-${round}`,
  });
  const started = performance.now();
  const response = await fetch(`${address}/hook/pre-tool-use`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body,
  });
  const text = await response.text();
  if (!response.ok || text.length < 100) throw new Error(`${response.status}: ${text}`);
  return performance.now() - started;
}
