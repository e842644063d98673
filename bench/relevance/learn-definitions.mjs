// Learns how likely a change touches a definition, from what `run.mjs --definitions FILE` wrote.
//
//   node bench/relevance/learn-definitions.mjs FILE...
//
// Logistic regression, Newton's method. First it says what weights that were learned without the repositories they are
// asked about would show of each change in a brief (held out, five parts); then it prints the weights of all tasks, to
// be rounded into src/context/rank/definition-model.ts.
import { readFileSync } from 'node:fs';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: learn-definitions.mjs FILE...');
  process.exit(2);
}
const PARTS = 5;
/** Pulls weights towards 0: two features that say the same share their weight. */
const RIDGE = 3;
const MAX_STEPS = 30;
/** Columns in front of the features: first and last line, characters, changed lines. */
const HEAD = 4;
/** What a brief of 6,000 characters has for code, and what a block costs beside its lines. */
const ROOM = 4_500;
const HEADING = 60;
const LINE_NUMBER = 5;
const MAX_NAMED = 25;

const tasks = files
  .flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse))
  .map((task) => ({
    ...task,
    rows: task.files.flatMap(([path, units]) => units.map((unit) => ({ path, unit }))),
  }))
  .filter(({ rows }) => rows.length > 0);
const repositories = [...new Set(tasks.map(({ repo }) => repo))].sort();
const partOf = (task) => repositories.indexOf(task.repo) % PARTS;

const heldOut = Array.from({ length: PARTS }, (_, part) =>
  learn(tasks.filter((task) => partOf(task) !== part)),
);
for (const set of new Set(tasks.map((task) => task.set))) {
  const of = tasks.filter((task) => task.set === set);
  const measures = of.map((task) => measure(task, heldOut[partOf(task)]));
  const mean = (key) => ((100 * measures.reduce((sum, one) => sum + one[key], 0)) / of.length).toFixed(1);
  console.log(
    `${set}: ${of.length} tasks, held out: changed lines shown ${mean('lines')} %, ranges named ${mean('ranges')} %`,
  );
}
const { bias, weights } = learn(tasks);
console.log(`bias ${bias.toFixed(2)}`);
console.log(`weights ${weights.map((weight) => weight.toFixed(2)).join(', ')}`);

/** Weights for the features as they are: they are brought to one scale for the fit alone. */
function learn(some) {
  const rows = some.flatMap(({ rows: own }) => {
    const touched = own.filter(({ unit }) => unit[3] > 0).length || 1;
    return own.map(({ unit }) => {
      const isTouched = unit[3] > 0;
      // a change of twenty definitions counts like a change of one
      return { x: unit.slice(HEAD), y: Number(isTouched), weight: isTouched ? 1 / touched : 1 };
    });
  });
  const width = rows[0].x.length;
  const means = column(width, (at) => rows.reduce((sum, { x }) => sum + x[at], 0) / rows.length);
  const spreads = column(width, (at) => {
    return Math.sqrt(rows.reduce((sum, { x }) => sum + (x[at] - means[at]) ** 2, 0) / rows.length) || 1;
  });
  for (const row of rows) row.z = [1, ...row.x.map((value, at) => (value - means[at]) / spreads[at])];
  const beta = column(width + 1, (at) => (at === 0 ? -4 : 0));
  for (let step = 0; step < MAX_STEPS; step++) {
    const gradient = beta.map((value, at) => (at === 0 ? 0 : RIDGE * value));
    const curvature = beta.map((_, at) => beta.map((_value, other) => (at === other && at > 0 ? RIDGE : 0)));
    for (const { z, y, weight } of rows) {
      const p = logistic(dot(z, beta));
      for (let at = 0; at < z.length; at++) {
        gradient[at] += weight * (p - y) * z[at];
        for (let other = 0; other <= at; other++)
          curvature[at][other] += weight * p * (1 - p) * z[at] * z[other];
      }
    }
    for (let at = 0; at < beta.length; at++)
      for (let other = at + 1; other < beta.length; other++) curvature[at][other] = curvature[other][at];
    const move = solve(curvature, gradient);
    for (let at = 0; at < beta.length; at++) beta[at] -= move[at];
    if (Math.max(...move.map(Math.abs)) < 1e-4) break;
  }
  const weights = beta.slice(1).map((value, at) => value / spreads[at]);
  return { weights, bias: beta[0] - dot(weights, means) };
}

function column(length, value) {
  return Array.from({ length }, (_, at) => value(at));
}

function logistic(value) {
  return 1 / (1 + Math.exp(-value));
}

function dot(a, b) {
  return a.reduce((sum, value, at) => sum + value * b[at], 0);
}

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

/** What a brief with these weights shows of the change: the share of its lines, and of its ranges shown or named. */
function measure({ rows, changed }, { bias, weights }) {
  const judged = rows.map(({ path, unit }) => {
    const [first, last, characters] = unit;
    const cost = characters + LINE_NUMBER * (last - first + 1) + HEADING;
    return { path, first, last, cost, p: logistic(bias + dot(unit.slice(HEAD), weights)) };
  });
  const shown = [];
  let left = ROOM;
  const overlaps = (one) =>
    shown.some((other) => other.path === one.path && other.first <= one.last && one.first <= other.last);
  for (const one of [...judged].sort((a, b) => b.p / b.cost ** 0.6 - a.p / a.cost ** 0.6)) {
    if (one.cost > left || overlaps(one)) continue;
    left -= one.cost;
    shown.push(one);
  }
  const lines = shareOf(changed, shown, (hit, all) => hit / all);
  const before = shown.length;
  for (const one of [...judged].sort((a, b) => b.p - a.p)) {
    if (shown.length - before >= MAX_NAMED) break;
    if (!overlaps(one)) shown.push(one);
  }
  return { lines, ranges: rangesOf(changed, shown) };
}

function shareOf(changed, shown, share) {
  let all = 0;
  let hit = 0;
  for (const [path, ranges] of Object.entries(changed))
    for (const [start, end] of ranges)
      for (let line = start; line <= end; line++) {
        all++;
        if (shown.some((one) => one.path === path && one.first <= line && line <= one.last)) hit++;
      }
  return all === 0 ? 1 : share(hit, all);
}

function rangesOf(changed, shown) {
  const ranges = Object.entries(changed).flatMap(([path, own]) =>
    own.map(([start, end]) => ({ path, start, end })),
  );
  const hit = ranges.filter(({ path, start, end }) =>
    shown.some((one) => one.path === path && one.first <= end && start <= one.last),
  );
  return ranges.length === 0 ? 1 : hit.length / ranges.length;
}
