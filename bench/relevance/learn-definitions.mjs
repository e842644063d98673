// Learns how likely a change touches a definition, from the output of `run.mjs --definitions FILE`.
//
//   node bench/relevance/learn-definitions.mjs FILE...
//
// First it prints how much of each change a brief would show, with weights that
// were learned without that repository (held out, five parts). Then it prints the weights of all tasks, to be rounded
// into src/context/rank/definition-model.ts.
import { readFileSync } from 'node:fs';
import { fitLogistic, partsByRepository, predict, printModel } from './logistic-regression.mjs';

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: learn-definitions.mjs FILE...');
  process.exit(2);
}
const PARTS = 5;
/** Columns in front of the features: first and last line, characters, changed lines. */
const HEAD = 4;
/** The characters for code in a brief of 6,000, and the cost of a block besides its lines. */
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
const partOf = partsByRepository(tasks, PARTS);

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
printModel(learn(tasks));

function learn(some) {
  const rows = some.flatMap(({ rows: own }) => {
    const touched = own.filter(({ unit }) => unit[3] > 0).length || 1;
    return own.map(({ unit }) => {
      const isTouched = unit[3] > 0;
      // a change of twenty definitions counts like a change of one
      return { x: unit.slice(HEAD), y: Number(isTouched), weight: isTouched ? 1 / touched : 1 };
    });
  });
  return fitLogistic(rows);
}

/** The part of the change that a brief with these weights shows: the share of its lines, and of its ranges shown or named. */
function measure({ rows, changed }, model) {
  const judged = rows.map(({ path, unit }) => {
    const [first, last, characters] = unit;
    const cost = characters + LINE_NUMBER * (last - first + 1) + HEADING;
    return { path, first, last, cost, p: predict(model, unit.slice(HEAD)) };
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
