// Compares the team store with the local one. Without --urls it starts a node (Java 17 or newer and Maven), with as many
// processors as `node.processors` in test/store/cluster says, and stops it in the end.
//
//   node bench/store.mjs fill TREE                                   documents a second, bytes sent
//   node bench/store.mjs overlap TREES --queries FILE                first ten of both stores
//   node bench/store.mjs grow --sizes 10000,50000,100000,500000      p50 and p95 of a query, both stores
//
//   --urls URL,URL   a cluster that is running      --heap 1500m   of a node that is started
//   --nodes 3        how many are started           --save FILE    all rows and the options, as JSON
//
// Prints one line of JSON for each measurement, and its progress to stderr.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { grow } from './store/grow.mjs';
import { overlap } from './store/overlap.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const [what, tree] = process.argv.slice(2);
const work = join(root, 'bench/.work');
mkdirSync(work, { recursive: true });
const outfile = join(work, 'store.mjs');
const entry = `
export { openHttpLine } from './src/platform/http-client.ts';
export { CacheFolder } from './src/platform/cache/cache-folder.ts';
export { SETTINGS } from './src/config/settings.ts';
export { useIndex } from './src/scan/index-session.ts';
export { indexUpdate } from './src/stores/local/local-snapshot.ts';
export { openLocalStore } from './src/stores/local/local-store.ts';
export { memoryVectorCache } from './src/stores/embeddings/vector-file.ts';
export { openOpenSearchStore } from './src/stores/opensearch/opensearch-store.ts';
export { searchWords } from './src/context/rank/search-words.ts';
export { workTreeStore } from './src/context/rank/ask-about-text.ts';
export { textSearches } from './src/context/rank/given-evidence.ts';
export { analyzeTask } from './src/context/analyze/analyze-task.ts';
export { clusterJava, SearchCluster } from './test/store/search-cluster.ts';
`;
await build({
  stdin: { contents: entry, resolveDir: root, loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  outfile,
  logLevel: 'warning',
});
const kit = await import(pathToFileURL(outfile).href);
const scratch = mkdtempSync(join(tmpdir(), 'loadout-bench-store-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
const note = (text) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
const rows = [];
const say = (row) => {
  rows.push({ ...row, load: Number(loadavg()[0].toFixed(1)) });
  console.log(JSON.stringify(rows.at(-1)));
};
const team = `bench-${Date.now().toString(36)}`;
const heap = option('heap', '1500m');
const nodes = Number(option('nodes', 1));
const cluster = await startCluster();
const urls = cluster ? cluster.urls : option('urls').split(',');
const remote = (index = 'loadout-bench') =>
  kit.openOpenSearchStore({
    urls,
    line: kit.openHttpLine(),
    credentials: {},
    team,
    index,
    shards: 1,
    requestTimeoutMs: 120_000,
  });

try {
  if (what === 'fill') await fill();
  else if (what === 'overlap') await overlap(tree, option('queries'), { kit, remote, scanned, say, note });
  else if (what === 'grow') {
    const queries = Number(option('queries', 100));
    for (const size of option('sizes', '10000').split(','))
      await grow(Number(size), { kit, scratch, url: urls[0], remote, queries, say, note });
  } else throw new Error('say fill, overlap or grow');
  await save();
} finally {
  await cluster?.stop();
}

async function startCluster() {
  if (option('urls')) return null;
  const java = kit.clusterJava();
  if (typeof java === 'string') throw new Error(`a cluster needs ${java}; or give --urls`);
  note(`starting OpenSearch, ${nodes} x ${heap}`);
  const project = join(root, 'test/store/cluster');
  const started = new kit.SearchCluster({ java, project, nodes, heap, fullCompiler: true });
  try {
    await started.start();
  } catch (error) {
    await started.stop();
    throw error;
  }
  return started;
}

async function save() {
  const file = option('save');
  if (!file) return;
  const about = await (await fetch(urls[0])).json();
  const { distribution = 'elasticsearch', number } = about.version;
  const run = {
    at: new Date().toISOString(),
    command: `node bench/store.mjs ${process.argv.slice(2).join(' ')}`,
    machine: `${cpus().length} x ${cpus()[0].model}, ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`,
    server: `${distribution} ${number}${cluster ? `, ${nodes} x ${heap} heap, two processors each` : ''}`,
    rows,
  };
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
}

function scanned(repo, use) {
  const defaults = Object.fromEntries(Object.entries(kit.SETTINGS).map(([name, one]) => [name, one.default]));
  const settings = { ...defaults, cacheDir: option('cache', join(scratch, 'cache')) };
  return kit.useIndex({ repo, mode: 'incremental', settings }, use);
}

async function fill() {
  await scanned(tree, async (scan) => {
    const store = remote();
    const name = { repository: 'bench/tree', branch: 'main', commit: scan.result.gitSha, model: '' };
    const time = async (update) => {
      const bytes = store.connection.bytesSent;
      const started = performance.now();
      const receipt = await store.update(update);
      const seconds = (performance.now() - started) / 1000;
      return { seconds: round(seconds), sent: receipt.sent, bytes: store.connection.bytesSent - bytes };
    };
    const first = await time(kit.indexUpdate(scan.index, name));
    say({ what: 'first fill', ...first, documentsPerSecond: Math.round(first.sent / first.seconds) });
    say({ what: 'same again', ...(await time(kit.indexUpdate(scan.index, name))) });
    const update = kit.indexUpdate(scan.index, { ...name, branch: 'feature' });
    const changed = (place) => place % 100 === 0;
    const files = update.files.map((file, place) =>
      changed(place) ? { ...file, contentHash: `${file.contentHash}x` } : file,
    );
    const load = async (file) => {
      const original = { ...file, contentHash: file.contentHash.replace(/x$/, '') };
      return { ...(await update.load(original)), contentHash: file.contentHash };
    };
    say({
      what: 'branch with 1 % changed',
      files: files.length,
      ...(await time({ ...update, files, load })),
    });
    await store.remove('bench/tree', null);
    await store.close();
  });
}

function round(value) {
  return Number(value.toPrecision(4));
}
