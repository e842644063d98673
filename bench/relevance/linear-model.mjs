// The ranking's own model: weighted evidence, summed, times a share for each role that the file has.
import { aggregate, groupBy, ndcg, objective, SEARCH, scoreLocalization } from './score.mjs';

/** The share of a file's score that its roles leave. */
export function priorsOf(task, shares) {
  const priors = new Float64Array(task.columns[0].length).fill(1);
  task.roleColumns.forEach((column, role) => {
    for (let at = 0; at < priors.length; at++) priors[at] *= 1 - (1 - shares[role]) * column[at];
  });
  return priors;
}

export function sumsOf(task, weights) {
  const sums = new Float64Array(task.columns[0].length);
  task.columns.forEach((column, name) => {
    const weight = weights[name];
    if (weight !== 0) for (let at = 0; at < sums.length; at++) sums[at] += weight * column[at];
  });
  return sums;
}

/** The measures of a ranking by these scores. */
export function scoreTask(task, scores) {
  const { found, wanted, isSearch, inRoot } = task;
  const whole = ranksOf(found, scores, null);
  if (!isSearch) return scoreLocalization(whole, wanted);
  const below = ranksOf(
    found.filter((at) => inRoot[at]),
    scores,
    inRoot,
  );
  return { [SEARCH[0]]: ndcg(whole, wanted), [SEARCH[1]]: ndcg(below, wanted) };
}

function ranksOf(places, scores, counts) {
  return places.map((place) => {
    const score = scores[place];
    let rank = 1;
    for (let at = 0; at < scores.length; at++) {
      const other = scores[at];
      if (other < score || (other === score && at >= place)) continue;
      if (counts === null || counts[at]) rank++;
    }
    return rank;
  });
}

/** Means by set, for rankings by `scoresFor(task)`. */
export function evaluate(tasks, scoresFor) {
  const rows = tasks.map((task) => ({
    set: task.set,
    repo: task.repo,
    scores: scoreTask(task, scoresFor(task)),
  }));
  return summarize(rows);
}

export function summarize(rows) {
  const bySet = Object.fromEntries(
    [...groupBy(rows, ({ set }) => set)].map(([set, of]) => [set, aggregate(of)]),
  );
  return { bySet, objective: objective(bySet) };
}

/**
 * The objective that learning maximises. `measures` is the objective of the tables; `soft` is the discounted gain at any
 * depth, which changes with every place that a wanted file moves and so depends less on luck.
 */
export const TARGETS = {
  measures: (tasks, scoresFor) => evaluate(tasks, scoresFor).objective,
  soft: (tasks, scoresFor) => {
    const sums = new Map();
    for (const task of tasks) {
      const sum = sums.get(task.set) ?? { gain: 0, count: 0 };
      const ranks = ranksOf(task.found, scoresFor(task), null);
      sum.gain += ndcg(ranks, task.wanted, Number.POSITIVE_INFINITY);
      sum.count++;
      sums.set(task.set, sum);
    }
    const means = [...sums.values()].map(({ gain, count }) => gain / count);
    return means.reduce((sum, mean) => sum + mean, 0) / means.length;
  },
};

export function scoresOf(task, { weights, shares }) {
  const priors = priorsOf(task, shares);
  return sumsOf(task, weights).map((sum, at) => sum * priors[at]);
}
