import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TOP = 10;
const round = (value) => Number(value.toPrecision(4));

/**
 * Asks the index of each tree and the team store the same, and compares the first ten. `file` has questions as lines of
 * JSON with `repo`, `query` and, if known, `relevant` and `secondary`; the trees are below one folder.
 */
export async function overlap(trees, file, { kit, remote, scanned, say, note }) {
  const tasks = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n').filter(Boolean)) {
    const task = JSON.parse(line);
    tasks.set(task.repo, [...(tasks.get(task.repo) ?? []), task]);
  }
  const store = remote();
  const rows = [];
  for (const [repo, some] of tasks) {
    const path = join(trees, repo);
    if (!existsSync(path)) {
      say({ what: 'overlap', repo, missing: true });
      continue;
    }
    note(`comparing ${repo}, ${some.length} queries`);
    const row = { tasks: some.length, listed: 0, shared: 0, worst: 0, ndcgLocal: 0, ndcgStore: 0 };
    await scanned(path, (scan) => compare({ kit, store, scan, repo, tasks: some, row }));
    row.ndcgLocal /= some.length;
    row.ndcgStore /= some.length;
    rows.push(row);
    say({ what: 'overlap', repo, ...rounded(row), overlap: round(row.shared / row.listed) });
  }
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const all = {
    repositories: rows.length,
    tasks: sum('tasks'),
    listed: sum('listed'),
    shared: sum('shared'),
  };
  const worst = Math.max(...rows.map((row) => row.worst));
  const ndcg = { ndcgLocal: sum('ndcgLocal') / rows.length, ndcgStore: sum('ndcgStore') / rows.length };
  say({
    what: 'overlap of all',
    ...rounded({ ...all, worst, ...ndcg }),
    overlap: round(all.shared / all.listed),
  });
  await store.close();
}

const rounded = (row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]));

async function compare({ kit, store, scan, repo, tasks, row }) {
  const name = { repository: repo, branch: 'main', commit: scan.result.gitSha, model: '' };
  await store.update(kit.indexUpdate(scan.index, name));
  const local = kit.workTreeStore(scan);
  for (const { query: text, relevant = [], secondary = [] } of tasks) {
    const { words } = kit.textSearches(kit.analyzeTask(text, { domains: new Map(), packages: [] }));
    const query = { channel: 'lexical', ...words, limit: TOP };
    const [here] = await local.search([{ ...query, filter: {} }]);
    const [there] = await store.search([{ ...query, filter: { repositories: [repo] } }]);
    const wanted = [...relevant, ...secondary].map(({ path }) => path);
    row.ndcgLocal += ndcg(here, wanted);
    row.ndcgStore += ndcg(there, wanted);
    const scores = new Map(there.map(({ path, score }) => [path, score]));
    row.listed += here.length;
    for (const { path, score } of here) {
      if (!scores.has(path)) continue;
      row.shared++;
      row.worst = Math.max(row.worst, Math.abs(scores.get(path) - score) / score);
    }
  }
  await store.remove(repo, null);
}

/** 1 when all wanted files are at the top. */
function ndcg(list, wanted) {
  if (wanted.length === 0) return 0;
  const worth = (rank) => 1 / Math.log2(2 + rank);
  const ranks = new Set(wanted.map((path) => list.findIndex((hit) => isSame(hit.path, path))));
  let gain = 0;
  for (const rank of ranks) if (rank >= 0) gain += worth(rank);
  let ideal = 0;
  for (let rank = 0; rank < Math.min(TOP, wanted.length); rank++) ideal += worth(rank);
  return gain / ideal;
}

/** Some sets name paths from another folder. */
const isSame = (path, wanted) =>
  path === wanted || path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`);
