// Logistic regression with Newton's method and a ridge. Deterministic, without a library.

/** Pulls weights towards 0: two features that say the same share their weight. */
const RIDGE = 3;
const MAX_STEPS = 40;
/** A longer step may overshoot and never come back. */
const LONGEST_STEP = 0.7;

/**
 * Weights for the features as they are: they are brought to one scale for the fit alone.
 * `rows`: `{ x, y, weight }` with the features, 0 or 1, and how much the row counts.
 */
export function fitLogistic(rows) {
  const width = rows[0].x.length;
  const means = column(width, (at) => rows.reduce((sum, { x }) => sum + x[at], 0) / rows.length);
  const spreads = column(width, (at) => {
    return Math.sqrt(rows.reduce((sum, { x }) => sum + (x[at] - means[at]) ** 2, 0) / rows.length) || 1;
  });
  const scaled = rows.map(({ x }) => [1, ...x.map((value, at) => (value - means[at]) / spreads[at])]);
  const beta = column(width + 1, () => 0);
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = beta.map((value, at) => (at === 0 ? 0 : RIDGE * value));
    const curvature = beta.map((_, at) => beta.map((_value, other) => (at === other && at > 0 ? RIDGE : 0)));
    rows.forEach(({ y, weight }, row) => {
      const z = scaled[row];
      const p = logistic(dot(z, beta));
      for (let at = 0; at < z.length; at++) {
        gradient[at] += weight * (p - y) * z[at];
        for (let other = 0; other <= at; other++)
          curvature[at][other] += weight * p * (1 - p) * z[at] * z[other];
      }
    });
    for (let at = 0; at < beta.length; at++)
      for (let other = at + 1; other < beta.length; other++) curvature[at][other] = curvature[other][at];
    const move = solve(curvature, gradient);
    const longest = Math.max(...move.map(Math.abs));
    const share = Math.min(1, LONGEST_STEP / longest);
    for (let at = 0; at < beta.length; at++) beta[at] -= share * move[at];
    if (longest < 1e-4) break;
  }
  const weights = beta.slice(1).map((value, at) => value / spreads[at]);
  return { weights, bias: beta[0] - dot(weights, means) };
}

/** 0..1: what a model says about some features. */
export function predict({ bias, weights }, x) {
  return logistic(bias + dot(x, weights));
}

/** Tasks in parts such that no repository is in two of them. */
export function partsByRepository(tasks, parts) {
  const repositories = [...new Set(tasks.map(({ repo }) => repo))].sort();
  return (task) => repositories.indexOf(task.repo) % parts;
}

export function printModel({ bias, weights }) {
  console.log(`bias ${bias.toFixed(2)}`);
  console.log(`weights ${weights.map((weight) => weight.toFixed(2)).join(', ')}`);
}

const column = (length, value) => Array.from({ length }, (_, at) => value(at));
const logistic = (value) => 1 / (1 + Math.exp(-value));
const dot = (a, b) => a.reduce((sum, value, at) => sum + value * b[at], 0);

/** Gaussian elimination with pivots. */
function solve(matrix, vector) {
  const rows = matrix.map((row, at) => [...row, vector[at]]);
  const size = rows.length;
  for (let at = 0; at < size; at++) {
    const pivot = rows
      .slice(at)
      .reduce((best, row, offset) => (Math.abs(row[at]) > Math.abs(rows[best][at]) ? at + offset : best), at);
    [rows[at], rows[pivot]] = [rows[pivot], rows[at]];
    for (let below = at + 1; below < size; below++) {
      const factor = rows[below][at] / rows[at][at];
      for (let over = at; over <= size; over++) rows[below][over] -= factor * rows[at][over];
    }
  }
  const solution = new Array(size).fill(0);
  for (let at = size - 1; at >= 0; at--) {
    const known = solution.reduce(
      (sum, value, other) => (other > at ? sum + value * rows[at][other] : sum),
      0,
    );
    solution[at] = (rows[at][size] - known) / rows[at][at];
  }
  return solution;
}
