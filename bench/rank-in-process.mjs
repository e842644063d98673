// Measures a ranking inside a process that has the index open.
//
//   npm run build && node bench/rank-in-process.mjs TREE... [--rounds 3] [--cache DIR] [--save]
//
// TREE is a git work tree (it is only read). Each of the tasks below is ranked `--rounds` times, after a few that do
// not count: they compile the code and read the history. Wall and CPU time of a whole ranking, the history and the
// reasons included. --cache keeps the index for the next run. --save writes bench/runs/rank-in-process-<date>.json.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadEngine } from './relevance/load-engine.mjs';
import { parseFlags } from './relevance/parse-flags.mjs';
import { quantile } from './relevance/score.mjs';

const USAGE = 'rank-in-process.mjs TREE... [--rounds 3] [--cache DIR] [--save]';
const {
  rest: trees,
  rounds = '3',
  cache: kept,
  save,
} = parseFlags(USAGE, { values: ['rounds', 'cache'], switches: ['save'], positional: true });
if (trees.length === 0) {
  console.error(`usage: ${USAGE}`);
  process.exit(2);
}

/** Tasks as people write them: one-liners, a report with its trace, and a long one. */
const TASKS = [
  'Fix the token refresh race in the session middleware',
  'the form loses the state of its widgets after a validation error',
  'feat(editor): show the name of the node in the title of the panel',
  'Where are query parameters of a URL decoded?',
  'Cache keys with spaces are rejected by the memcached backend',
  `Login fails with a wrong error

After an upgrade the login page answers with "Internal error" when the session has expired.

Traceback (most recent call last):
  File "/srv/app/core/handlers/exception.py", line 47, in inner
    response = get_response(request)
  File "/srv/app/contrib/auth/views.py", line 61, in dispatch
    return HttpResponseRedirect(redirect_to)
TypeError: expected str, got NoneType`,
  'Add an option to the loader that skips files which are larger than a given size',
  `Migrations run twice when two workers start at the same time

${'Both workers read the table of applied migrations before either of them writes to it. '.repeat(20)}`,
  'Refactor the webhook registration so that it can be used by other triggers',
  'Timezone of the scheduled trigger is ignored for cron expressions',
];
const WARM_UP = 4;

const { engine, file } = await loadEngine();
const cache = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'loadout-rank-'));
process.on('exit', () => {
  rmSync(file, { force: true });
  if (!kept) rmSync(cache, { recursive: true, force: true });
});
const { settings } = engine.loadSettings({
  flags: {},
  environment: {},
  repositoryFile: null,
  userFile: null,
  trusted: false,
  defaults: { cacheDir: cache },
});

const milliseconds = (values) => ({
  median: Math.round(quantile(values, 0.5)),
  p95: Math.round(quantile(values, 0.95)),
});

async function rankOnce(scan, task) {
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  await engine.rankScan(scan, { task, settings, limit: 20 });
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall, cpu: (user + system) / 1000 };
}

const results = [];
for (const tree of trees) {
  const repo = resolve(tree);
  await engine.useIndex({ repo, mode: 'incremental', settings }, async (scan) => {
    for (const task of TASKS.slice(0, WARM_UP)) await rankOnce(scan, task);
    const measured = [];
    for (let round = 0; round < Number(rounds); round++)
      for (const task of TASKS) measured.push(await rankOnce(scan, task));
    const files = scan.index.snapshot.files.length;
    const wall = milliseconds(measured.map((one) => one.wall));
    const cpu = milliseconds(measured.map((one) => one.cpu));
    const residentMb = Math.round(process.memoryUsage().rss / 1e6);
    const name = basename(repo);
    console.log(
      `${name}: ${files} files, median ${wall.median} ms (95 %: ${wall.p95}), CPU ${cpu.median} ms (95 %: ${cpu.p95}), ${residentMb} MB`,
    );
    results.push({ tree: name, files, rankings: measured.length, wall, cpu, residentMb });
  });
}
if (save) {
  const machine = `${cpus().length} x ${cpus()[0]?.model.split(' ').slice(0, 2).join(' ')}`;
  const folder = fileURLToPath(new URL('runs', import.meta.url));
  const report = { node: process.version, machine, loadAverage: loadavg()[0], results };
  writeFileSync(
    join(folder, `rank-in-process-${new Date().toISOString().slice(0, 10)}.json`),
    `${JSON.stringify(report, null, 2)}\n`,
  );
}
