// Pairwise logistic regression: how likely is a wanted file to rank above one that is not? Every set counts the same, and
// so does every task of a set. Gradient descent with momentum over all pairs, so nothing is random.
import { groupBy } from './score.mjs';

const ITERATIONS = 250;
const STEP = 1.5;
const MOMENTUM = 0.9;
const RIDGE = 2e-4;
/** For each task, the strongest files by the plain sum: deeper ones never come up. */
const RIVALS = 40;

export function learnPairs(tasks) {
  const features = (task) => [...task.columns, ...task.roleColumns];
  const pairs = pairsOf(tasks, features);
  const size = features(tasks[0]).length;
  const weights = new Float64Array(size);
  const speed = new Float64Array(size);
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const gradient = weights.map((weight) => -RIDGE * weight);
    for (const { difference, share } of pairs) {
      let margin = 0;
      for (let at = 0; at < size; at++) margin += weights[at] * difference[at];
      const pull = share / (1 + Math.exp(margin));
      for (let at = 0; at < size; at++) gradient[at] += pull * difference[at];
    }
    for (let at = 0; at < size; at++) {
      speed[at] = MOMENTUM * speed[at] + STEP * gradient[at];
      weights[at] += speed[at];
    }
  }
  return [...weights];
}

export function scoreByPairs(task, weights) {
  const scores = new Float64Array(task.columns[0].length);
  [...task.columns, ...task.roleColumns].forEach((column, name) => {
    for (let at = 0; at < scores.length; at++) scores[at] += weights[name] * column[at];
  });
  return scores;
}

function pairsOf(tasks, features) {
  const pairs = [];
  const sets = groupBy(tasks, ({ set }) => set);
  for (const list of sets.values())
    for (const task of list) {
      if (task.found.length === 0) continue;
      const columns = features(task);
      const rivals = rivalsOf(task);
      const share = 1 / (sets.size * list.length * task.found.length * (rivals.length || 1));
      for (const wanted of task.found)
        for (const rival of rivals)
          pairs.push({ difference: columns.map((column) => column[wanted] - column[rival]), share });
    }
  return pairs;
}

function rivalsOf(task) {
  const wanted = new Set(task.found);
  const sums = Float64Array.from(task.columns[0], (_, at) =>
    task.columns.reduce((sum, column) => sum + column[at], 0),
  );
  return [...sums.keys()]
    .filter((at) => !wanted.has(at))
    .sort((a, b) => sums[b] - sums[a] || a - b)
    .slice(0, RIVALS);
}
