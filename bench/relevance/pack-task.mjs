// Measures how much of a task's change is inside a package of a given size: its files as text, and its lines.
import { mean, quantile } from './score.mjs';

const WITH_TEXT = new Set(['full', 'excerpt']);
/** A shown line this close to a changed one is of use; the others are noise. */
const NEAR = 15;

/** The package without a budget of its own, under the ceiling of the settings. */
export const DEFAULT_PACKAGE = 'default';

/** The values of `--pack`: sizes in tokens, and `default`. */
export function readBudgets(text = '') {
  return text
    .split(',')
    .filter(Boolean)
    .map((one) => (one === DEFAULT_PACKAGE ? one : Number(one)));
}

/** Measures of the packages of one task, by budget; those of lines only where `changed` says which lines changed. */
export async function packTask({ packScan, countTokens }, scan, settings, task, budgets, changed) {
  const measures = {};
  for (const budget of budgets) {
    const tokenBudget = budget === DEFAULT_PACKAGE ? settings.tokenBudget : budget;
    const started = performance.now();
    const request = {
      repo: scan.repository.root.path,
      task: task.task,
      settings: { ...settings, tokenBudget },
    };
    const { pack, text } = await packScan(request, scan, [], countTokens);
    const milliseconds = performance.now() - started;
    const shown = new Map(
      pack.items.filter(({ form }) => WITH_TEXT.has(form)).map((item) => [item.path, rangesOf(item)]),
    );
    measures[budget] = {
      inside: task.gold.filter((path) => shown.has(path)).length / task.gold.length,
      ...(changed ? measureLines(changed, shown) : {}),
      over: countTokens(text) > tokenBudget ? 1 : 0,
      tokens: pack.tokenCount,
      milliseconds,
    };
  }
  return measures;
}

/** The lines of a file that an item shows, as ranges. */
function rangesOf({ lineRuns }) {
  return lineRuns
    .filter(({ startLine }) => startLine !== null)
    .map(({ startLine, count }) => [startLine, startLine + count - 1]);
}

/**
 * `lines`: the share of the changed lines that are shown. `near`: the share of the shown lines that are close to a
 * changed one. `changed` has the lines of the old state by path, as ranges; an insertion is the line before it.
 */
export function measureLines(changed, shown) {
  let all = 0;
  let inside = 0;
  for (const [path, ranges] of Object.entries(changed))
    for (const range of ranges)
      for (const line of linesOf(range)) {
        all++;
        if (isWithin(line, shown.get(path) ?? [], 0)) inside++;
      }
  let size = 0;
  let near = 0;
  for (const [path, ranges] of shown)
    for (const range of ranges)
      for (const line of linesOf(range)) {
        size++;
        if (isWithin(line, changed[path] ?? [], NEAR)) near++;
      }
  return { lines: all === 0 ? 1 : inside / all, near: size === 0 ? 0 : near / size, shown: size };
}

function linesOf([first, last]) {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function isWithin(line, ranges, around) {
  return ranges.some(([first, last]) => line >= first - around && line <= last + around);
}

/** Means and medians over the tasks of a set, by budget. */
export function packReport(rows) {
  const budgets = Object.keys(rows[0] ?? {});
  const percent = (values) => Math.round(mean(values) * 1000) / 10;
  return Object.fromEntries(
    budgets.map((budget) => {
      const of = rows.map((row) => row[budget]);
      const known = of.filter(({ lines }) => lines !== undefined);
      return [
        budget,
        {
          'gold files inside %': percent(of.map(({ inside }) => inside)),
          'changed lines shown %': percent(known.map(({ lines }) => lines)),
          'within 15 lines %': percent(known.map(({ near }) => near)),
          'median lines': quantile(
            known.map(({ shown }) => shown),
            0.5,
          ),
          'median tokens': quantile(
            of.map(({ tokens }) => tokens),
            0.5,
          ),
          'over budget': of.reduce((sum, { over }) => sum + over, 0),
          'mean ms': Math.round(mean(of.map(({ milliseconds }) => milliseconds))),
          'of tasks': known.length,
        },
      ];
    }),
  );
}
