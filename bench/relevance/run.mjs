// Measures the quality of rankings: runs the development sets and prints the tables.
//
//   npm run build && node bench/relevance/run.mjs --sets DIR --mirrors DIR --work DIR
//        [--set NAME,...] [--repo OWNER/NAME,...] [--every N] [--features FILE] [--definitions FILE]
//        [--pack 2500,8000,default] [--briefs] [--learn-only] [--log FILE] [--json] [--save]
//
// --sets holds the sets (`swebench/instances.dev.jsonl`, ..., `semble/queries.dev.jsonl`), --mirrors bare git
// directories named `owner+name/repo`, --work the work trees and the index. --every takes each N-th task.
// --pack also builds packages of these sizes, `default` being the package without a size of its own, and measures how much
// of each change they show (`lines.dev.jsonl` of the set has its lines), how much of them is close to it, and their tokens.
// --briefs also writes the brief of each task, and measures what of its change is shown and what the gate decides.
// --features writes the evidence of each task's candidates for learn.mjs, --definitions that of their definitions for
// learn-definitions.mjs; with --learn-only nothing is measured beside it. --save writes results/<date>.json.
// --log keeps the result of each task, so that a run that was stopped continues when it is started with the same flags.
// Nothing here knows a repository or a task.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { resolve } from 'node:path';
import { briefReport, briefTask } from './brief-task.mjs';
import { definitionsOfTask, readChangedLines } from './definition-task.mjs';
import { loadEngine } from './load-engine.mjs';
import { packReport, packTask, readBudgets } from './pack-task.mjs';
import { parseFlags } from './parse-flags.mjs';
import { rankTask } from './rank-task.mjs';
import { readSets } from './read-sets.mjs';
import { report } from './report.mjs';
import { groupBy } from './score.mjs';
import { openFeatureFile, openTaskLog } from './task-log.mjs';
import { openWorkTrees } from './work-trees.mjs';

const USAGE =
  'run.mjs --sets DIR --mirrors DIR --work DIR [--set S] [--repo R] [--every N] [--features F] [--definitions F] [--pack B,...] [--briefs] [--learn-only] [--log F] [--json] [--save]';
const flags = parseFlags(USAGE, {
  values: ['sets', 'mirrors', 'work', 'set', 'repo', 'every', 'features', 'definitions', 'pack', 'log'],
  switches: ['briefs', 'learn-only', 'json', 'save'],
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

const budgets = readBudgets(flags.pack);
engine.countTokens = await engine.loadTokenCounter('o200k_base');
const log = openTaskLog(flags.log, tasks);
const features = flags.features ? openFeatureFile(flags.features, log) : null;
const changedBySet = new Map(
  [...new Set(tasks.map(({ set }) => set))].map((set) => [set, readChangedLines(flags.sets, set)]),
);
const notes = [];
const say = (text) => {
  notes.push(text);
  console.error(text);
};
if (log.entries.length > 0) console.error(`${log.entries.length} tasks are in the log already`);
for (const [repo, list] of groupBy(tasks, (task) => task.repo)) {
  if (!trees.has(repo)) {
    say(`no mirror of ${repo}: ${list.length} tasks left out`);
    continue;
  }
  const ordered = list
    .filter((task) => !log.has(task))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const [base, same] of groupBy(ordered, (task) => task.base)) await runAt(repo, base, same);
  console.error(`${repo}: ${list.length} tasks`);
}

async function runAt(repo, base, list) {
  const { folder, missing } = trees.moveTo(repo, base);
  await engine.useIndex({ repo: folder, mode: 'incremental', settings }, async (scan) => {
    for (const task of list) {
      const { set, id, language } = task;
      const changed = changedBySet.get(set)?.get(id);
      if (flags.definitions && changed) {
        const line = await definitionsOfTask(engine, scan, settings, task, changed);
        appendFileSync(flags.definitions, `${JSON.stringify(line)}\n`);
      }
      if (flags['learn-only']) continue;
      const ranked = await rankTask(engine, scan, settings, task, features !== null);
      const { milliseconds, variants } = ranked;
      const measures =
        budgets.length > 0 && task.root === undefined
          ? await packTask(engine, scan, settings, task, budgets, changed)
          : null;
      if (ranked.features) features?.add(ranked.features);
      const brief = flags.briefs && changed ? await briefTask(engine, scan, settings, task, changed) : null;
      const files = scan.index.snapshot.files.length;
      log.add({ set, id, repo, base, language, milliseconds, files, missing, variants, measures, brief });
    }
  });
}

const withGaps = log.entries.filter(({ missing }) => missing > 0);
for (const [base, [{ repo, missing }]] of groupBy(withGaps, (entry) => entry.base))
  notes.push(`${repo} at ${base.slice(0, 12)}: the mirror lacks ${missing} files`);
const withPackages = groupBy(
  log.entries.filter(({ measures }) => measures),
  ({ set }) => set,
);
const withBriefs = groupBy(
  log.entries.filter(({ brief }) => brief),
  ({ set }) => set,
);
const { text, sets } = report(log.entries);
const result = {
  node: process.version,
  machine: `${availableParallelism()} x ${cpus()[0]?.model.trim()}`,
  loadAverage: loadavg()[0],
  chosen: { set: flags.set, repo: flags.repo, every: flags.every },
  notes,
  sets,
  packages: Object.fromEntries(
    [...withPackages].map(([set, of]) => [set, packReport(of.map(({ measures }) => measures))]),
  ),
  briefs: Object.fromEntries(
    [...withBriefs].map(([set, of]) => [set, briefReport(of.map(({ brief }) => brief))]),
  ),
};
if (flags.json) console.log(JSON.stringify(result, null, 2));
else {
  console.log(text);
  for (const [set, table] of Object.entries(result.packages)) {
    console.log(`\npackages of ${set}`);
    console.table(table);
  }
  if (withBriefs.size > 0) {
    console.log('\nbriefs');
    console.table(result.briefs);
  }
}
if (flags.save) {
  const folder = new URL('results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const names = [new Date().toISOString().slice(0, 10), ...(flags.set?.split(',') ?? [])];
  writeFileSync(new URL(`${names.join('-')}.json`, folder), `${JSON.stringify(result, null, 2)}\n`);
}
