// Measures requests in other words than the code's: is a right file among the first five?
//
//   npm run build && node bench/relevance/requests.mjs --mirrors DIR --work DIR [--json]
//
// requests.jsonl has 30 requests for six repositories outside the sets. They were written by reading the code, before
// any ranking of them was looked at. Never tune on them. --mirrors holds bare git directories named `owner+name/repo`.
import { readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { loadEngine } from './load-engine.mjs';
import { parseFlags } from './parse-flags.mjs';
import { groupBy } from './score.mjs';
import { openWorkTrees } from './work-trees.mjs';

const USAGE = 'requests.mjs --mirrors DIR --work DIR [--json]';
const flags = parseFlags(USAGE, { values: ['mirrors', 'work'], switches: ['json'] });
if (!flags.mirrors || !flags.work) {
  console.error(`usage: ${USAGE}`);
  process.exit(2);
}
const RANKED = 50;
const requests = readFileSync(new URL('requests.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map(JSON.parse);
const trees = openWorkTrees(flags.mirrors, `${flags.work}/trees`);
const { engine, file } = await loadEngine();
process.on('exit', () => rmSync(file, { force: true }));
const sources = { flags: {}, environment: {}, repositoryFile: null, userFile: null, trusted: false };
const { settings } = engine.loadSettings({
  ...sources,
  defaults: { cacheDir: resolve(flags.work, 'cache') },
});
const rows = [];
for (const [repo, list] of groupBy(requests, (request) => request.repo)) {
  if (!trees.has(repo)) {
    console.error(`no mirror of ${repo}: ${list.length} requests left out`);
    continue;
  }
  const { folder } = trees.moveTo(repo, list[0].commit);
  await engine.useIndex({ repo: folder, mode: 'incremental', settings }, async (scan) => {
    for (const { id, task, gold_files: gold } of list) {
      const { files } = await engine.rankScan(scan, { task, settings, limit: RANKED });
      const place = files.findIndex(({ path }) => gold.includes(path)) + 1;
      rows.push({ id, place: place === 0 ? null : place, first: files[0]?.path ?? null });
    }
  });
}
const within = (most) => rows.filter(({ place }) => place !== null && place <= most).length;
const result = { requests: rows.length, first: within(1), first5: within(5), first10: within(10), rows };
if (flags.json) console.log(JSON.stringify(result, null, 2));
else {
  console.table(rows);
  console.log(
    `a right file first: ${result.first}, among 5: ${result.first5}, among 10: ${result.first10} of ${rows.length}`,
  );
}
