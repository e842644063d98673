// One weight after the other takes the value that ranks best, until none gets better.
import { priorsOf, scoresOf, sumsOf } from './linear-model.mjs';
import { createRandom, shuffle } from './random.mjs';

export const WEIGHT_STEPS = [0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.4, 2];
export const SHARE_STEPS = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1];
/** Less is noise. */
const MIN_GAIN = 1e-4;

/** The mean of the results from several starts; the first is `start`, the others are around it. */
export function learn(tasks, start, { target, restarts, rounds, seed }) {
  const found = Array.from({ length: restarts }, (_, attempt) => {
    const random = createRandom(seed + attempt);
    return climb(tasks, attempt === 0 ? start : around(start, random), { target, rounds, random });
  });
  return {
    weights: start.weights.map((_, at) => meanOf(found.map(({ weights }) => weights[at]))),
    shares: start.shares.map((_, at) => meanOf(found.map(({ shares }) => shares[at]))),
  };
}

/** Rounded, as weights that people read should be. */
function meanOf(values) {
  return Math.round((100 * values.reduce((sum, value) => sum + value, 0)) / values.length) / 100;
}

function climb(tasks, start, { target, rounds, random }) {
  let best = { model: start, worth: target(tasks, (task) => scoresOf(task, start)) };
  const coordinates = [
    ...start.weights.map((_, at) => ({ kind: 'weights', at, steps: WEIGHT_STEPS })),
    ...start.shares.map((_, at) => ({ kind: 'shares', at, steps: SHARE_STEPS })),
  ];
  for (let round = 0; round < rounds; round++) {
    const before = best.worth;
    for (const coordinate of shuffle(coordinates, random)) best = bestStep(tasks, best, coordinate, target);
    if (best.worth - before < MIN_GAIN) break;
  }
  return best.model;
}

function bestStep(tasks, { model, worth }, { kind, at, steps }, target) {
  const scoresWith = kind === 'weights' ? alongWeight(tasks, model, at) : alongShare(tasks, model, at);
  let best = { model, worth };
  for (const step of steps) {
    if (step === model[kind][at]) continue;
    const found = target(tasks, scoresWith(step));
    if (found > best.worth + MIN_GAIN)
      best = { model: { ...model, [kind]: model[kind].with(at, step) }, worth: found };
  }
  return best;
}

/** Sums the other weights once for all steps of one weight. The scores are valid until the next task. */
function alongWeight(tasks, { weights, shares }, name) {
  const others = weights.with(name, 0);
  return along(tasks, (task) => {
    const priors = priorsOf(task, shares);
    const fixed = sumsOf(task, others).map((sum, at) => sum * priors[at]);
    return { fixed, moved: task.columns[name].map((value, at) => value * priors[at]) };
  });
}

/** A share p leaves `score * (1 - (1 - p) * role)`, which is `score * (1 - role)` and p times `score * role`. */
function alongShare(tasks, { weights, shares }, role) {
  const others = shares.with(role, 1);
  return along(tasks, (task) => {
    const scores = scoresOf(task, { weights, shares: others });
    const column = task.roleColumns[role];
    return {
      fixed: scores.map((score, at) => score * (1 - column[at])),
      moved: scores.map((score, at) => score * column[at]),
    };
  });
}

function along(tasks, partsOf) {
  const parts = new Map(tasks.map((task) => [task, partsOf(task)]));
  const room = new Float64Array(Math.max(...tasks.map((task) => task.columns[0].length)));
  return (step) => (task) => {
    const { fixed, moved } = parts.get(task);
    const scores = room.subarray(0, fixed.length);
    for (let at = 0; at < fixed.length; at++) scores[at] = fixed[at] + step * moved[at];
    return scores;
  };
}

function around({ weights, shares }, random) {
  const move = (value, steps) => {
    const place = steps.reduce(
      (near, step, at) => (Math.abs(step - value) < Math.abs(steps[near] - value) ? at : near),
      0,
    );
    const moved = place + Math.floor(random() * 5) - 2;
    return steps[Math.max(0, Math.min(steps.length - 1, moved))];
  };
  return {
    weights: weights.map((weight) => move(weight, WEIGHT_STEPS)),
    shares: shares.map((share) => move(share, SHARE_STEPS)),
  };
}
