// What of a task's change is inside a package of a given size: its files as text, and its lines.
import { execFileSync } from 'node:child_process';

const WITH_TEXT = new Set(['full', 'excerpt']);

/** Measures of the packages of one task, by budget; the lines only where the change itself is known. */
export async function packTask({ packScan, countTokens }, scan, settings, task, budgets, changed) {
  const measures = {};
  for (const tokenBudget of budgets) {
    const started = performance.now();
    const request = {
      repo: scan.repository.root.path,
      task: task.task,
      settings: { ...settings, tokenBudget },
    };
    const { pack, text } = await packScan(request, scan, [], countTokens);
    const milliseconds = performance.now() - started;
    const shown = new Map(
      pack.items.filter(({ form }) => WITH_TEXT.has(form)).map((item) => [item.path, item]),
    );
    const lines = changed ? linesInside(changed, shown) : null;
    measures[tokenBudget] = {
      inside: task.gold.filter((path) => shown.has(path)).length / task.gold.length,
      ...(lines === null ? {} : { lines }),
      over: countTokens(text) > tokenBudget ? 1 : 0,
      filled: pack.tokenCount / tokenBudget,
      milliseconds,
    };
  }
  return measures;
}

/** Of the lines that the change removes or stands between, the share that a package shows. */
function linesInside(changed, shown) {
  let all = 0;
  let inside = 0;
  for (const { path, line } of changed) {
    all++;
    const runs = shown.get(path)?.lineRuns ?? [];
    if (
      runs.some(({ startLine, count }) => startLine !== null && line >= startLine && line < startLine + count)
    )
      inside++;
  }
  return all === 0 ? null : inside / all;
}

/** The old lines that a commit touches, for tasks whose id names the commit: `owner__name@commit`. */
export function changedLines(folder, { id, base, gold }) {
  const commit = /@([0-9a-f]{7,40})$/.exec(id)?.[1];
  if (!commit) return null;
  const args = [
    'diff',
    '--unified=0',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    base,
    commit,
    '--',
    ...gold,
  ];
  let diff;
  try {
    diff = execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: 'pipe',
    });
  } catch {
    return null;
  }
  const lines = [];
  let path = '';
  for (const line of diff.split('\n')) {
    if (line.startsWith('--- ')) path = line.slice('--- a/'.length);
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(line);
    if (!hunk) continue;
    const [start, count] = [Number(hunk[1]), hunk[2] === undefined ? 1 : Number(hunk[2])];
    // lines that are only added have a place: behind the line that the hunk names
    for (let at = 0; at < Math.max(1, count); at++) lines.push({ path, line: Math.max(1, start + at) });
  }
  return lines;
}

/** Means over the tasks of a set, by budget. */
export function packReport(rows) {
  const budgets = Object.keys(rows[0] ?? {});
  const mean = (values) => values.reduce((sum, one) => sum + one, 0) / (values.length || 1);
  return Object.fromEntries(
    budgets.map((budget) => {
      const of = rows.map((row) => row[budget]);
      const lines = of.map((one) => one.lines).filter((one) => one !== undefined && one !== null);
      const share = (value) => Math.round(value * 1000) / 10;
      return [
        budget,
        {
          'gold files inside %': share(mean(of.map(({ inside }) => inside))),
          ...(lines.length > 0
            ? { 'changed lines inside %': share(mean(lines)), 'of tasks': lines.length }
            : {}),
          'over budget': of.reduce((sum, { over }) => sum + over, 0),
          'filled %': share(mean(of.map(({ filled }) => filled))),
          'mean ms': Math.round(mean(of.map(({ milliseconds }) => milliseconds))),
        },
      ];
    }),
  );
}
