// The team store against the local one, on a cluster that is running already (test/store/cluster starts one node:
// see docs/guides/team-store.md).
//
//   node bench/store.mjs fill TREE --urls http://127.0.0.1:9200        documents a second, bytes sent
//   node bench/store.mjs overlap TREES --queries FILE --urls ...        first ten of both stores
//   node bench/store.mjs grow --sizes 10000,50000,500000 --urls ...    p50 and p95 of a query, both stores
//
// Prints one line of JSON for each measurement.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const option = (name, fallback) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : process.argv[at + 1];
};
const [what, tree] = process.argv.slice(2);
const urls = option('urls', 'http://127.0.0.1:9200').split(',');
const work = join(root, 'bench/.work');
mkdirSync(work, { recursive: true });
const outfile = join(work, 'store.mjs');
const entry = `
export { openHttpLine } from './src/platform/http-exchange.ts';
export { CacheFolder } from './src/platform/cache-folder.ts';
export { SETTINGS } from './src/config/settings.ts';
export { withIndex } from './src/scan/run-scan.ts';
export { indexUpdate } from './src/store/local/index-update.ts';
export { openLocalStore } from './src/store/local/local-store.ts';
export { memoryVectorShelf } from './src/store/embeddings/vector-shelf.ts';
export { openOpenSearchStore } from './src/store/opensearch/opensearch-store.ts';
export { searchWords } from './src/retrieve/search-words.ts';
export { workTreeStore } from './src/ask-about-text.ts';
export { textSearches } from './src/retrieve/given-evidence.ts';
export { analyzeTask } from './src/analyze/analyze-task.ts';
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
const say = (row) => console.log(JSON.stringify({ ...row, load: Number(loadavg()[0].toFixed(1)) }));
const team = `bench-${Date.now().toString(36)}`;
const remote = () =>
  kit.openOpenSearchStore({
    urls,
    line: kit.openHttpLine(),
    credentials: {},
    team,
    index: 'loadout-bench',
    shards: 1,
    requestTimeoutMs: 120_000,
  });

if (what === 'fill') await fill();
else if (what === 'overlap') await overlap();
else if (what === 'grow') for (const size of option('sizes', '10000').split(',')) await grow(Number(size));
else throw new Error('say fill, overlap or grow');

function scanned(repo, use) {
  const defaults = Object.fromEntries(Object.entries(kit.SETTINGS).map(([name, one]) => [name, one.default]));
  const settings = { ...defaults, cacheDir: option('cache', join(scratch, 'cache')) };
  return kit.withIndex({ repo, mode: 'incremental', settings }, use);
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

/** Questions as lines of JSON with `repo` and `query`; the trees of the repositories lie below one folder. */
async function overlap() {
  const tasks = new Map();
  for (const line of readFileSync(option('queries'), 'utf8').split('\n').filter(Boolean)) {
    const { repo, query } = JSON.parse(line);
    tasks.set(repo, [...(tasks.get(repo) ?? []), query]);
  }
  const store = remote();
  const all = { tasks: 0, shared: 0, listed: 0, worst: 0 };
  for (const [repo, queries] of tasks) {
    const path = join(tree, repo);
    if (!existsSync(path)) continue;
    const row = { tasks: queries.length, shared: 0, listed: 0, worst: 0 };
    await scanned(path, (scan) => compare(store, scan, repo, queries, row));
    say({ what: 'overlap', repo, ...row, overlap: round(row.shared / row.listed) });
    for (const name of ['tasks', 'shared', 'listed']) all[name] += row[name];
    all.worst = Math.max(all.worst, row.worst);
  }
  say({ what: 'overlap of all', ...all, overlap: round(all.shared / all.listed) });
  await store.close();
}

async function compare(store, scan, repository, queries, row) {
  const name = { repository, branch: 'main', commit: scan.result.gitSha, model: '' };
  await store.update(kit.indexUpdate(scan.index, name));
  const local = kit.workTreeStore(scan);
  const filter = { repositories: [repository] };
  for (const text of queries) {
    const { words } = kit.textSearches(kit.analyzeTask(text, { domains: new Map(), packages: [] }));
    const query = { channel: 'lexical', ...words, limit: 10 };
    const [here] = await local.search([{ ...query, filter: {} }]);
    const [there] = await store.search([{ ...query, filter }]);
    const scores = new Map(there.map(({ path, score }) => [path, score]));
    row.listed += here.length;
    for (const { path, score } of here) {
      if (!scores.has(path)) continue;
      row.shared++;
      row.worst = Math.max(row.worst, Math.abs(scores.get(path) - score) / score);
    }
  }
  await store.remove(repository, null);
}

/** A corpus of made-up files: words as in code, where few are frequent and most are rare. */
function corpus(size) {
  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
  const wordAt = () => Math.floor(30_000 ** random());
  const files = Array.from({ length: size }, (_, at) => ({
    path: `pkg${at % 97}/dir${at % 1009}/file${at}.ts`,
    contentHash: `h${at}`,
    language: 'typescript',
    edges: [],
  }));
  const load = ({ path, contentHash, language }) => {
    seed = Number(contentHash.slice(1)) + 1;
    const counted = (count) => {
      const words = new Map();
      for (let at = 0; at < count; at++) {
        const word = `word${wordAt()}`;
        words.set(word, (words.get(word) ?? 0) + 1);
      }
      return [...words];
    };
    const words = { code: counted(60), comment: counted(15), string: counted(5), definition: counted(4) };
    return { path, contentHash, language, lineCount: 60, words, symbols: [], imports: [], passages: [] };
  };
  return { repository: `bench/${size}`, branch: 'main', commit: 'c', model: '', files, load };
}

async function grow(size) {
  const local = kit.openLocalStore({
    ...{
      team,
      scoreWords: kit.searchWords,
      vectors: kit.memoryVectorShelf(),
      writerId: 'bench',
      attached: [],
    },
    folder: new kit.CacheFolder(join(scratch, `local-${size}`)),
  });
  for (const [name, store] of [
    ['opensearch', remote()],
    ['local', local],
  ]) {
    const started = performance.now();
    await store.update(corpus(size));
    const seconds = round((performance.now() - started) / 1000);
    const times = [];
    const queries = Number(option('queries', 60));
    for (let at = 0; at < queries + 5; at++) {
      const terms = [3, 40, 300, 2000, 9000].map((word) => ({
        words: [{ word: `word${word + at}`, weight: 1 }],
        weight: 1,
      }));
      const shape = {
        fields: { code: 1, comment: 0.7, string: 0.7, definition: 3 },
        lengthShare: 0.75,
        saturation: 1.2,
      };
      const begun = performance.now();
      await store.search([{ channel: 'lexical', terms, ...shape, filter: {}, limit: 20 }]);
      if (at >= 5) times.push(performance.now() - begun);
    }
    times.sort((a, b) => a - b);
    const at = (share) => round(times[Math.floor(share * (times.length - 1))]);
    say({ what: 'query', store: name, chunks: size, fillSeconds: seconds, p50Ms: at(0.5), p95Ms: at(0.95) });
    await store.remove(`bench/${size}`, null);
    await store.close();
  }
}

function round(value) {
  return Number(value.toPrecision(4));
}
