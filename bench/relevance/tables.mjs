const percent = (value) => (value === undefined ? '' : (100 * value).toFixed(1));

/** Rows of cells as columns, the first to the left and the others to the right. */
export function table(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => String(row[at] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? String(cell).padEnd(widths[at]) : String(cell ?? '').padStart(widths[at]),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Scores as percentages, one row per entry `[label, count, scores]`. */
export function scoreTable(entries, title) {
  const names = [...new Set(entries.flatMap(([, , scores]) => Object.keys(scores)))];
  return table([
    [title, 'tasks', ...names],
    ...entries.map(([label, count, scores]) => [label, count, ...names.map((name) => percent(scores[name]))]),
  ]);
}

/** Differences in points, with their sign. */
export function changeTable(entries, base, title) {
  const columns = Object.entries(base).flatMap(([set, scores]) =>
    Object.keys(scores).map((name) => [set, name]),
  );
  const change = (bySet, [set, name]) => {
    const points = 100 * (bySet[set][name] - base[set][name]);
    return `${points > 0.049 ? '+' : ''}${points.toFixed(1)}`.replace('-0.0', '0.0');
  };
  return table([
    [title, 'objective', ...columns.map(([set, name]) => `${set.slice(0, 8)} ${name}`)],
    ...entries.map(([label, { bySet, objective }, former]) => [
      label,
      (100 * (objective - former)).toFixed(2),
      ...columns.map((column) => change(bySet, column)),
    ]),
  ]);
}
