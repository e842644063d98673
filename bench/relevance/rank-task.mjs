import { isSamePath, ndcg, SEARCH, scoreLocalization } from './score.mjs';

const RANKED = 50;
/** Files of a task whose evidence is kept for learning: lower ones never come up. */
const CANDIDATES = 250;
/** Names of `FileClass` that cost a file a share of its score. */
export const ROLES = ['test', 'docs', 'config', 'data', 'example', 'other', 'generated', 'vendored'];

/** Answers one task: the measures of the ranking, of plain BM25, and of the ranking without each signal. */
export async function rankTask(engine, scan, settings, task, withFeatures) {
  const { rankScan, loadHistory, evidenceTable, SIGNALS } = engine;
  const request = { task: task.task, settings: { ...settings, minRelevance: 0 }, limit: RANKED };
  // before the clock starts: the first question at a commit reads its history from git, later ones do not
  const history = await loadHistory(scan.repository, scan.result.gitSha, { limit: settings.historyLimit });
  const started = performance.now();
  const { files: ranked, analysis } = await rankScan(scan, request);
  const milliseconds = performance.now() - started;
  const { files } = scan.index.snapshot;
  const table = evidenceTable(scan.index, analysis, history);
  const variants = {
    ranking: scoreOrder(task, pathsOf(ranked)),
    'plain BM25': scoreOrder(task, plainOrder(table, files)),
  };
  if (task.root !== undefined) {
    const inside = await rankScan(scan, { ...request, allow: (path) => isBelow(path, task.root) });
    variants.ranking[SEARCH[1]] = ndcg(ranksOf(task, pathsOf(inside.files)), task.gold.length);
  }
  for (const signal of SIGNALS)
    if (usesSignal(engine, signal))
      variants[`without ${signal}`] = scoreOrder(task, orderWithout(engine, table, files, signal));
  const features = withFeatures ? featuresOf(engine, table, files, analysis, task) : null;
  return { milliseconds, variants, features };
}

const pathsOf = (files) => files.map(({ path }) => path);

function usesSignal({ RANKING_SIGNALS }, signal) {
  return RANKING_SIGNALS.some(({ group, weight }) => group === signal && weight > 0);
}

/** All files, best first, with one signal left out. */
function orderWithout({ RANKING_SIGNALS }, { columns, priors }, files, without) {
  const scores = new Float64Array(files.length);
  for (const { name, group, weight } of RANKING_SIGNALS) {
    if (group === without) continue;
    for (let file = 0; file < scores.length; file++)
      scores[file] += weight * columns[name][file] * priors[file];
  }
  return pathsByScore(files, scores);
}

function plainOrder({ columns }, files) {
  return pathsByScore(
    files,
    columns.words.map((score, file) => (files[file].classification.role === 'source' ? score : 0)),
  );
}

function pathsByScore(files, scores) {
  return [...scores.keys()]
    .filter((file) => scores[file] > 0)
    .sort((a, b) => scores[b] - scores[a] || a - b)
    .map((file) => files[file].path);
}

const isBelow = (path, root) => root === '' || path.startsWith(`${root}/`);

function ranksOf({ gold, root }, paths) {
  const isWanted = root === undefined ? (path, one) => path === one : isSamePath;
  return gold.map((one) => paths.findIndex((path) => isWanted(path, one)) + 1).filter((rank) => rank > 0);
}

function scoreOrder(task, order) {
  const paths = order.slice(0, RANKED);
  if (task.root === undefined) return scoreLocalization(ranksOf(task, paths), new Set(task.gold).size);
  const kept = order.filter((path) => isBelow(path, task.root)).slice(0, RANKED);
  return {
    [SEARCH[0]]: ndcg(ranksOf(task, paths), task.gold.length),
    [SEARCH[1]]: ndcg(ranksOf(task, kept), task.gold.length),
  };
}

function featuresOf({ RANKING_SIGNALS, sumSides }, { columns, priors }, files, { about }, task) {
  const { structure, text } = sumSides(columns, files.length);
  const wanted = new Set(task.gold);
  const isWanted = ({ path }) =>
    wanted.has(path) || (task.root !== undefined && ranksOf(task, [path]).length > 0);
  const sums = structure.map((sum, file) => (priors[file] === 0 ? 0 : sum + text[file]));
  const order = [...sums.keys()].filter((file) => sums[file] > 0).sort((a, b) => sums[b] - sums[a] || a - b);
  const rows = order
    .filter((file, at) => at < CANDIDATES || isWanted(files[file]))
    .map((file) => [
      files[file].path,
      ...RANKING_SIGNALS.map(({ name }) => Math.round(columns[name][file] * 1e4) / 1e4),
      ...ROLES.map((role) => roleValue(files[file].classification, role, about)),
    ]);
  const { set, id, repo, language, gold, root } = task;
  const names = [...RANKING_SIGNALS.map(({ name }) => name), ...ROLES];
  const start = Object.fromEntries(RANKING_SIGNALS.map(({ name, weight }) => [name, weight]));
  return {
    header: { names, roles: ROLES, weights: start },
    line: { set, id, repo, language, gold, root, files: rows },
  };
}

/** How much a role counts here: nothing where the task is about files of that role. */
function roleValue(classification, role, about) {
  if (role === 'generated') return classification.generated ? 1 : 0;
  if (role === 'vendored') return classification.vendored && !classification.generated ? 1 : 0;
  if (classification.role !== role) return 0;
  return 1 - ({ test: about.tests, docs: about.docs, example: about.examples }[role] ?? 0);
}
