// How good are the rankings? Runs the development sets and prints the tables.
//
//   npm run build && node bench/relevance/run.mjs --sets DIR --mirrors DIR --work DIR
//        [--set NAME,...] [--repo OWNER/NAME,...] [--every N] [--features FILE] [--pack 8000,16000] [--json] [--save]
//
// --sets holds the sets (`swebench/instances.dev.jsonl`, ..., `semble/queries.dev.jsonl`), --mirrors bare git
// directories named `owner+name/repo`, --work the work trees and the index. --every takes each N-th task.
// --pack also builds packages of these sizes and says what of each change is inside.
// --features writes the evidence of each task's candidates for learn.mjs. --save writes results/<date>.json.
// Nothing here knows a repository or a task.
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { loadEngine } from './load-engine.mjs';
import { changedLines, packReport, packTask } from './pack-task.mjs';
import { parseFlags } from './parse-flags.mjs';
import { rankTask } from './rank-task.mjs';
import { readSets } from './read-sets.mjs';
import { report } from './report.mjs';
import { groupBy } from './score.mjs';
import { openWorkTrees } from './work-trees.mjs';

const USAGE =
  'run.mjs --sets DIR --mirrors DIR --work DIR [--set S] [--repo R] [--every N] [--features F] [--pack B,...] [--json] [--save]';
const flags = parseFlags(USAGE, {
  values: ['sets', 'mirrors', 'work', 'set', 'repo', 'every', 'features', 'pack'],
  switches: ['json', 'save'],
});
if (!flags.sets || !flags.mirrors || !flags.work) {
  console.error(`usage: ${USAGE}`);
  process.exit(2);
}
const chosen = (list, value) => !list || list.split(',').includes(value);
const tasks = readSets(flags.sets)
  .filter(({ set, repo }) => chosen(flags.set, set) && chosen(flags.repo, repo))
  .filter((_, at) => at % Number(flags.every ?? 1) === 0);
const trees = openWorkTrees(flags.mirrors, `${flags.work}/trees`);
const { engine: loaded, file } = await loadEngine();
const engine = { ...loaded };
process.on('exit', () => rmSync(file, { force: true }));
const sources = { flags: {}, environment: {}, repositoryFile: null, userFile: null, trusted: false };
const { settings } = engine.loadSettings({
  ...sources,
  defaults: { cacheDir: resolve(flags.work, 'cache') },
});

const budgets = (flags.pack ?? '').split(',').filter(Boolean).map(Number);
engine.countTokens = await engine.loadTokenCounter('o200k_base');
const packed = new Map();
const rows = [];
const notes = [];
const features = flags.features ? openSync(flags.features, 'w') : null;
let hasHeader = false;
const say = (text) => {
  notes.push(text);
  console.error(text);
};
for (const [repo, list] of groupBy(tasks, (task) => task.repo)) {
  if (!trees.has(repo)) {
    say(`no mirror of ${repo}: ${list.length} tasks left out`);
    continue;
  }
  const ordered = list.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const [base, same] of groupBy(ordered, (task) => task.base)) await runAt(repo, base, same);
  console.error(`${repo}: ${list.length} tasks`);
}

async function runAt(repo, base, list) {
  const { folder, missing } = trees.moveTo(repo, base);
  if (missing > 0) say(`${repo} at ${base.slice(0, 12)}: the mirror lacks ${missing} files`);
  await engine.withIndex({ repo: folder, mode: 'incremental', settings }, async (scan) => {
    for (const task of list) {
      const {
        milliseconds,
        variants,
        features: found,
      } = await rankTask(engine, scan, settings, task, features !== null);
      const { set, id, language } = task;
      rows.push({ set, id, repo, language, milliseconds, files: scan.index.snapshot.files.length, variants });
      if (budgets.length > 0 && task.root === undefined) {
        const changed = changedLines(folder, task);
        const measures = await packTask(engine, scan, settings, task, budgets, changed);
        packed.set(set, [...(packed.get(set) ?? []), measures]);
      }
      if (!found) continue;
      if (!hasHeader) writeSync(features, `${JSON.stringify(found.header)}\n`);
      hasHeader = true;
      writeSync(features, `${JSON.stringify(found.line)}\n`);
    }
  });
}

if (features !== null) closeSync(features);
const { text, sets } = report(rows);
const result = {
  node: process.version,
  machine: `${availableParallelism()} x ${cpus()[0]?.model.trim()}`,
  loadAverage: loadavg()[0],
  chosen: { set: flags.set, repo: flags.repo, every: flags.every },
  notes,
  sets,
  packages: Object.fromEntries([...packed].map(([set, of]) => [set, packReport(of)])),
};
if (flags.json) console.log(JSON.stringify(result, null, 2));
else {
  console.log(text);
  for (const [set, table] of Object.entries(result.packages)) {
    console.log(`\npackages of ${set}`);
    console.table(table);
  }
}
if (flags.save) {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const names = [new Date().toISOString().slice(0, 10), ...(flags.set?.split(',') ?? [])];
  writeFileSync(new URL(`${names.join('-')}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
}
