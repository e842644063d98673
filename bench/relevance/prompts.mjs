// Measures the gate of briefs on prompts that need no code, and on chatty ones that do.
//
//   npm run build && node bench/relevance/prompts.mjs --work DIR [--log FILE] REPOSITORY...
//
// Takes the prompts of test/prompts and asks for a brief of each in each repository. --log writes the features of each
// prompt for learn-gate.mjs.
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { gateFeaturesOf } from './brief-task.mjs';
import { loadEngine } from './load-engine.mjs';
import { groupBy } from './score.mjs';

const MAX_CHARS = 6_000;
const LISTS = ['nothing-needed.dev', 'nothing-needed.held-out', 'needs-code.dev', 'needs-code.held-out'];

const given = process.argv.slice(2);
const flag = (name) => {
  const at = given.indexOf(name);
  return at < 0 ? null : given.splice(at, 2)[1];
};
const [work, log] = [flag('--work'), flag('--log')];
if (!work || given.length === 0) {
  console.error('usage: prompts.mjs --work DIR [--log FILE] REPOSITORY...');
  process.exit(2);
}
const { engine, file } = await loadEngine();
process.on('exit', () => rmSync(file, { force: true }));
const sources = { flags: {}, environment: {}, repositoryFile: null, userFile: null, trusted: false };
const { settings } = engine.loadSettings({ ...sources, defaults: { cacheDir: resolve(work, 'cache') } });
const rows = [];
for (const repo of given.map((path) => resolve(path)))
  await engine.useIndex({ repo, mode: 'incremental', settings }, async (scan) => {
    for (const list of LISTS)
      for (const prompt of promptsOf(list)) {
        const request = { task: prompt, settings, maxChars: MAX_CHARS, gate: 'normal' };
        const { gate } = await engine.briefScan(scan, request);
        rows.push({ list, repo, verdict: gate.verdict });
        if (!log) continue;
        const features = await gateFeaturesOf(engine, scan, settings, prompt);
        appendFileSync(log, `${JSON.stringify({ list, repo, features })}\n`);
      }
  });
const share = (some, verdict) => {
  const percent = (100 * some.filter((row) => row.verdict === verdict).length) / some.length;
  return `${percent.toFixed(1)} %`;
};
console.table(
  Object.fromEntries(
    [...groupBy(rows, ({ list }) => list)].map(([list, of]) => [
      list,
      { prompts: of.length, silent: share(of, 'silent'), short: share(of, 'short'), full: share(of, 'full') },
    ]),
  ),
);

function promptsOf(list) {
  const text = readFileSync(new URL(`../../test/prompts/${list}.txt`, import.meta.url), 'utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}
