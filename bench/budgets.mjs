// Checks that no package is larger than its budget, and that the same question always gives the same bytes.
//
//   npm run build && node bench/budgets.mjs [--repo DIR] [--budgets 10000] [--repeats 100]
//
// Budgets from 1 to 200,000 tokens, spread over the orders of magnitude; texts are counted again by another
// implementation of the encoding. Repeats run the whole command, cold and warm, with one parser and with two.
// Exits with 1 when a package is over its budget, miscounted, or different from its twins.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const repo = option('repo', `${root}examples/sample`);
const TASKS = ['Fix the token refresh race', 'Add a discount to the basket', 'Why is the order total wrong?'];
const FORMATS = ['markdown', 'xml', 'json'];
const STRATEGIES = ['value', 'relevance', 'signature_only'];

let seed = Number(option('seed', 1));
/** 0 up to 1, the same in every run. */
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
const oneOf = (list) => list[Math.floor(random() * list.length)];

const cache = mkdtempSync(join(tmpdir(), 'loadout-bench-budgets-'));
process.env.LOADOUT_CACHE_DIR = cache;
const { createLoadout } = await import(`${root}dist/index.js`);

async function tryBudgets(rounds) {
  const loadout = await createLoadout({ repo });
  const found = { packages: 0, empty: 0, overruns: 0, miscounts: 0 };
  for (let round = 0; round < rounds; round++) {
    const budget = Math.max(1, Math.floor(200_000 ** random()));
    const request = { task: oneOf(TASKS), format: oneOf(FORMATS), strategy: oneOf(STRATEGIES), budget };
    const pack = await loadout.pack(request);
    const text = pack.text();
    const tokens = countTokens(text);
    found.packages++;
    if (pack.items.length === 0) found.empty++;
    if (tokens > budget) found.overruns++;
    if (text !== '' && tokens !== pack.tokenCount) found.miscounts++;
    if (round % 500 === 499) process.stderr.write(`${round + 1} of ${rounds}\n`);
  }
  loadout.close();
  return found;
}

function tryRepeats(rounds) {
  const hashes = new Set();
  for (let round = 0; round < rounds; round++) {
    const isCold = round % 10 === 0;
    const folder = isCold ? mkdtempSync(join(tmpdir(), 'loadout-bench-cold-')) : cache;
    const args = ['pack', TASKS[0], '--repo', repo, '--budget', '6k', '--json', '--quiet'];
    const env = {
      ...process.env,
      LOADOUT_CACHE_DIR: folder,
      LOADOUT_PARSE_WORKERS: String(1 + (round % 2)),
    };
    const { stdout, status } = spawnSync(process.execPath, [`${root}dist/cli.cjs`, ...args], { env });
    if (status !== 0) throw new Error(`the command ended with ${status}`);
    hashes.add(createHash('sha256').update(stdout).digest('hex'));
    if (isCold) rmSync(folder, { recursive: true, force: true });
  }
  return { runs: rounds, differentTexts: hashes.size };
}

try {
  const budgets = await tryBudgets(Number(option('budgets', 10_000)));
  const repeats = tryRepeats(Number(option('repeats', 100)));
  console.log(JSON.stringify({ budgets, repeats }, null, 2));
  process.exitCode =
    budgets.overruns === 0 && budgets.miscounts === 0 && repeats.differentTexts === 1 ? 0 : 1;
} finally {
  rmSync(cache, { recursive: true, force: true });
}
