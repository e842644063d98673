// Measures a session of 1,000 tool results of 100 KB each: the size of the history, the time for a recall block, and
// whether memory stays flat. One row for each way to choose: the latest results, those that fit the step best, and those
// again with the passages that fit best, where both change with every step.
//
//   node --expose-gc bench/session.mjs [--results 1000] [--store memory|file|log] [--row latest|relevance|passages]
//
// Exits with 1 when a figure is missed: history under 64 KB, pack under 10 ms at the median, memory flat.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const results = Number(option('results', 1000));
const kind = option('store', 'file');
const ROWS = {
  latest: {},
  relevance: { order: 'relevance' },
  passages: { order: 'relevance', default_selector: 'relevant' },
};

const work = join(root, 'bench/.work');
mkdirSync(work, { recursive: true });
const outfile = join(work, 'session.mjs');
await build({
  entryPoints: [`${root}src/session/index.ts`],
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'warning',
});
const {
  ContextBuilder,
  ContextPolicy,
  inject,
  openFileStore,
  openLogStore,
  openMemoryStore,
  rewriteHistory,
} = await import(pathToFileURL(outfile));

const STORES = {
  memory: () => openMemoryStore(),
  file: (folder) => openFileStore(folder),
  log: (folder) => openLogStore(join(folder, 'session.log')),
};

const words =
  'request handler login timeout error retry session cache value index parse token user return const'.split(
    ' ',
  );
let seed = 1;
const random = (below) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
  return seed % below;
};
function resultText(at) {
  const lines = [`result ${at}`];
  for (let size = 0; size < 100_000; ) {
    const line = Array.from({ length: 9 }, () => words[random(words.length)]).join(' ');
    lines.push(line);
    size += line.length + 1;
  }
  return lines.join('\n').slice(0, 100_000);
}
const memory = () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
};

const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];

async function measure(row) {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-bench-session-'));
  const store = STORES[kind](folder);
  const policy = ContextPolicy.fromDict({ max_total_chars: 8_000, ...ROWS[row] });
  const builder = new ContextBuilder({ store, policy });
  let messages = [{ role: 'user', content: 'Find out why the login times out' }];
  let largest = 0;
  const packMs = [];
  const packCpuMs = [];
  const storeMs = [];
  const heaps = [];
  for (let at = 0; at < results; at++) {
    messages = [
      ...messages,
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: `call-${at}`, tool: 'read_file', input: { path: `src/${at}.ts` } }],
      },
      { role: 'tool', content: resultText(at), tool: 'read_file', toolCallId: `call-${at}` },
    ];
    let started = performance.now();
    ({ messages } = await rewriteHistory(messages, store));
    storeMs.push(performance.now() - started);
    started = performance.now();
    const cpu = process.cpuUsage();
    const plan = { current: `look at file ${at}` };
    const { text } = await builder.build({ mission: messages[0].content, plan, messages });
    inject({ system: '', messages }, text);
    packMs.push(performance.now() - started);
    const { user, system } = process.cpuUsage(cpu);
    packCpuMs.push((user + system) / 1000);
    largest = Math.max(largest, Buffer.byteLength(JSON.stringify(messages)));
    if ((at + 1) % Math.ceil(results / 5) === 0) heaps.push(memory());
  }
  const kept = (await store.list()).length;
  await store.close();
  rmSync(folder, { recursive: true, force: true });

  const growth = heaps.at(-1) - heaps[0];
  const times = (values) => `${quantile(values, 0.5).toFixed(2)} / ${quantile(values, 0.95).toFixed(2)} ms`;
  console.log(`\n${row}: ${kept} results of 100 KB in the ${kind} store`);
  console.log(`largest history        ${(largest / 1024).toFixed(1)} KB`);
  console.log(`pack, median / 95 %    ${times(packMs)}`);
  console.log(`  processor time alone ${times(packCpuMs)}`);
  console.log(`storing, median / 95 % ${times(storeMs)}`);
  console.log(`memory at each fifth   ${heaps.map((heap) => heap.toFixed(1)).join(', ')} MB`);
  return [
    ...(kept === results ? [] : ['results are missing']),
    ...(largest < 64 * 1024 ? [] : ['history is not under 64 KB']),
    ...(quantile(packMs, 0.5) < 10 ? [] : ['pack is not under 10 ms']),
    // the store in memory holds the results themselves
    ...(kind === 'memory' || growth < 10 ? [] : [`memory grew by ${growth.toFixed(1)} MB`]),
  ].map((figure) => `${row}: ${figure}`);
}

const only = option('row', null);
const missed = [];
for (const row of only === null ? Object.keys(ROWS) : [only]) missed.push(...(await measure(row)));
for (const figure of missed) console.error(`missed: ${figure}`);
process.exit(missed.length > 0 ? 1 : 0);
