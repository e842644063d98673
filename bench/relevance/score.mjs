// Measures of one ranking, and their means. All are 0..1.

export const LOCALIZATION = ['acc@1', 'acc@3', 'acc@5', 'acc@10', 'recall@10', 'mrr'];
export const SEARCH = ['ndcg@10 repo', 'ndcg@10 root'];

/** `ranks`: 1-based places of the wanted files that were found; `wanted`: how many there are. Strict: all within k. */
export function scoreLocalization(ranks, wanted) {
  const within = (k) => ranks.filter((rank) => rank <= k).length;
  const all = (k) => (within(k) === wanted ? 1 : 0);
  return {
    'acc@1': all(1),
    'acc@3': all(3),
    'acc@5': all(5),
    'acc@10': all(10),
    'recall@10': within(10) / wanted,
    mrr: ranks.length > 0 ? 1 / Math.min(...ranks) : 0,
  };
}

/** Every wanted file gains 1; the ideal has them in the first places. */
export function ndcg(ranks, wanted, k = 10) {
  const gain = (rank) => 1 / Math.log2(1 + rank);
  let found = 0;
  for (const rank of new Set(ranks)) if (rank <= k) found += gain(rank);
  let ideal = 0;
  for (let rank = 1; rank <= Math.min(k, wanted); rank++) ideal += gain(rank);
  return found / ideal;
}

/** The search set's rule: a path matches when one of the two ends with the other. */
export function isSamePath(path, wanted) {
  return path === wanted || path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`);
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / (values.length || 1);

export function groupBy(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Means over tasks; those of searches over repositories, as the published figures are. */
export function aggregate(rows) {
  const [first] = rows;
  if (!first) return {};
  const isSearch = SEARCH[0] in first.scores;
  const groups = isSearch ? [...groupBy(rows, ({ repo }) => repo).values()] : [rows];
  return Object.fromEntries(
    Object.keys(first.scores).map((name) => [
      name,
      mean(groups.map((group) => mean(group.map(({ scores }) => scores[name])))),
    ]),
  );
}

/** One number for a whole result, set by set: the objective of learning. */
export function objective(bySet) {
  let sum = 0;
  for (const scores of Object.values(bySet)) {
    if (SEARCH[0] in scores) sum += 0.5 * scores['ndcg@10 repo'] + 0.5 * scores['ndcg@10 root'];
    else
      sum +=
        0.3 * scores['acc@1'] +
        0.25 * scores['acc@5'] +
        0.25 * scores['acc@10'] +
        0.1 * scores['recall@10'] +
        0.1 * scores.mrr;
  }
  return sum / (Object.keys(bySet).length || 1);
}

export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}
