// Learns the weight of each piece of evidence, from tasks whose answers are known.
//
//   node bench/relevance/learn.mjs FEATURES.jsonl... [--target soft|measures] [--folds 5] [--restarts 3]
//        [--rounds 4] [--seed 1] [--start MODEL.json] [--out MODEL.json] [--roles a,b] [--ignore a,b]
//        [--skip-regression]
//
// FEATURES come from `run.mjs --features`. Weights and role shares are found by coordinate ascent on all tasks. Their
// worth on unseen repositories is measured by doing the same without each part of the repositories in turn. The table at the end goes into src/context/rank/signals/table.ts and score-files.ts.
import { readFileSync, writeFileSync } from 'node:fs';
import { learn } from './coordinate-ascent.mjs';
import { foldsOf } from './folds.mjs';
import { evaluate, scoresOf, scoreTask, summarize, TARGETS } from './linear-model.mjs';
import { learnPairs, scoreByPairs } from './pairwise-regression.mjs';
import { parseFlags } from './parse-flags.mjs';
import { readFeatures } from './read-features.mjs';
import { groupBy } from './score.mjs';
import { changeTable, scoreTable, table } from './tables.mjs';

const flags = parseFlags(
  'learn.mjs FEATURES.jsonl... [--target soft|measures] [--folds 5] [--restarts 3] [--start F] [--out F]',
  {
    values: ['target', 'folds', 'restarts', 'rounds', 'seed', 'start', 'out', 'roles', 'ignore'],
    switches: ['skip-regression'],
    positional: true,
  },
);
const list = (text) => text?.split(',').filter(Boolean);
const {
  evidence,
  roles,
  weights: inUse,
  tasks,
} = readFeatures(flags.rest, {
  roles: list(flags.roles) ?? null,
  ignore: list(flags.ignore) ?? [],
});
const counts = new Map([...groupBy(tasks, ({ set }) => set)].map(([set, { length }]) => [set, length]));
const effort = {
  target: TARGETS[flags.target ?? 'soft'],
  restarts: Number(flags.restarts ?? 3),
  rounds: Number(flags.rounds ?? 4),
  seed: Number(flags.seed ?? 1),
};
const start = modelFrom(
  flags.start ? JSON.parse(readFileSync(flags.start, 'utf8')) : { weights: inUse, shares: {} },
);
// a start that was found on all tasks would leak knowledge of those held out
const neutral = modelFrom({ weights: {}, shares: {} });

function modelFrom({ weights, shares }) {
  return {
    weights: evidence.map((name) => weights[name] ?? 0.5),
    shares: roles.map((name) => shares[name] ?? 0.4),
  };
}

const named = ({ weights, shares }) => ({
  weights: Object.fromEntries(evidence.map((name, at) => [name, weights[at]])),
  shares: Object.fromEntries(roles.map((name, at) => [name, shares[at]])),
});

/** Each task is ranked by the weights that were learned from the other parts. */
function heldOut(learnFrom, scoresFor) {
  const folds = foldsOf(tasks, Number(flags.folds ?? 5));
  const rows = folds.flatMap((fold) => {
    const apart = new Set(fold);
    const model = learnFrom(tasks.filter((task) => !apart.has(task)));
    return fold.map((task) => ({
      set: task.set,
      repo: task.repo,
      scores: scoreTask(task, scoresFor(task, model)),
    }));
  });
  return summarize(rows);
}

const show = (title, { bySet, objective }) => {
  const entries = Object.entries(bySet).map(([set, scores]) => [set, counts.get(set), scores]);
  console.log(`${scoreTable(entries, title)}\nobjective ${(100 * objective).toFixed(2)}\n`);
};

const repositories = groupBy(tasks, ({ repo }) => repo).size;
console.log(
  `${tasks.length} tasks of ${repositories} repositories, ${evidence.length} weights, ${roles.length} shares\n`,
);
show(
  'start',
  evaluate(tasks, (task) => scoresOf(task, start)),
);
const model = learn(tasks, start, effort);
const inSample = evaluate(tasks, (task) => scoresOf(task, model));
show('ascent, in sample', inSample);
const ascent = heldOut((part) => learn(part, neutral, effort), scoresOf);
show('ascent, held out', ascent);
if (!flags['skip-regression']) {
  const everywhere = learnPairs(tasks);
  show(
    'regression, in sample',
    evaluate(tasks, (task) => scoreByPairs(task, everywhere)),
  );
  const regression = heldOut(learnPairs, scoreByPairs);
  show('regression, held out', regression);
  const points = 100 * (regression.objective - ascent.objective);
  console.log(
    `regression held out against ascent held out: ${points > 0 ? '+' : ''}${points.toFixed(2)} points\n`,
  );
}

const variants = (kind, names) =>
  names.flatMap((name, at) =>
    model[kind][at] === 0
      ? []
      : [
          [0, 'off'],
          [2 / 3, '-1/3'],
          [4 / 3, '+1/3'],
        ].map(([factor, how]) => {
          const changed = { ...model, [kind]: model[kind].with(at, model[kind][at] * factor) };
          return [`${name} ${how}`, evaluate(tasks, (task) => scoresOf(task, changed)), inSample.objective];
        }),
  );
console.log(
  `${changeTable([...variants('weights', evidence), ...variants('shares', roles)], inSample.bySet, 'sensitivity')}\n`,
);

const result = named(model);
console.log(table([['what', 'weight'], ...Object.entries({ ...result.weights, ...result.shares })]));
if (flags.out) writeFileSync(flags.out, `${JSON.stringify(result, null, 2)}\n`);
