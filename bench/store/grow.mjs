import { join } from 'node:path';
import { madeUpCorpus, madeUpQuery } from './made-up-corpus.mjs';

const WARM_UP = 10;
const round = (value) => Number(value.toPrecision(4));

/** Fills both stores with this many files and asks them the same questions in turns, so that other work on the machine affects both. */
export async function grow(size, { kit, scratch, url, remote, queries, say, note }) {
  const index = `loadout-bench-${size}`;
  const folder = join(scratch, `local-${size}`);
  const local = () =>
    kit.openLocalStore({
      team: 'bench',
      scoreWords: kit.searchWords,
      vectors: kit.memoryVectorCache(),
      writerId: 'bench',
      attached: [],
      folder: new kit.CacheFolder(folder),
    });
  const stores = [
    { name: 'opensearch', store: remote(index), cpuMs: () => nodeCpuMs(url) },
    { name: 'local', store: local(), cpuMs: ownCpuMs },
  ];
  for (const each of stores) {
    note(`filling ${each.name} with ${size} files`);
    const started = performance.now();
    await each.store.update(madeUpCorpus(size));
    each.fillSeconds = round((performance.now() - started) / 1000);
  }
  // the one that has been filling knows its files already
  await stores[1].store.close();
  stores[1].store = local();
  note(`asking both ${queries} times`);
  const ask = async (each, number) => {
    const began = performance.now();
    const [list] = await each.store.search([madeUpQuery(number)]);
    return { ms: performance.now() - began, paths: list.map(({ path }) => path) };
  };
  for (const each of stores) {
    each.firstMs = (await ask(each, 0)).ms;
    for (let at = 1; at < WARM_UP; at++) await ask(each, at);
    each.times = [];
    each.cpu = 0;
  }
  let shared = 0;
  let listed = 0;
  for (let at = WARM_UP; at < WARM_UP + queries; at++) {
    const lists = [];
    for (const each of stores) {
      const before = await each.cpuMs();
      const { ms, paths } = await ask(each, at);
      each.cpu += (await each.cpuMs()) - before;
      each.times.push(ms);
      lists.push(new Set(paths));
    }
    listed += lists[1].size;
    for (const path of lists[1]) if (lists[0].has(path)) shared++;
  }
  const peakMb = Math.round(process.resourceUsage().maxRSS / 1024);
  for (const { name, store, fillSeconds, firstMs, times, cpu } of stores) {
    times.sort((a, b) => a - b);
    const at = (share) => round(times[Math.floor(share * (times.length - 1))]);
    const query = { queries, firstMs: round(firstMs), p50Ms: at(0.5), p95Ms: at(0.95) };
    const work = { cpuMsPerQuery: round(cpu / queries) };
    say({ what: 'query', store: name, files: size, fillSeconds, ...query, ...work });
    await store.close();
  }
  say({ what: 'same first 20', files: size, listed, shared, overlap: round(shared / listed), peakMb });
  await fetch(`${url}/${index}-v1`, { method: 'DELETE' });
}

function ownCpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function nodeCpuMs(url) {
  const response = await fetch(`${url}/_nodes/stats/process`);
  const { nodes } = await response.json();
  return Object.values(nodes).reduce((sum, { process: { cpu } }) => sum + cpu.total_in_millis, 0);
}
