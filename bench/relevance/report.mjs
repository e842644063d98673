import { aggregate, groupBy, quantile } from './score.mjs';
import { scoreTable } from './tables.mjs';

/** Means of one variant over rows. */
function meansOf(rows, variant) {
  return aggregate(rows.map(({ repo, variants }) => ({ repo, scores: variants[variant] })));
}

/** Tables by set and by language, and the worth of each signal; `text` for people, the rest for programs. */
export function report(rows) {
  const sets = {};
  const parts = [];
  for (const [set, of] of groupBy(rows, (row) => row.set)) {
    const variants = Object.keys(of[0].variants);
    const byVariant = Object.fromEntries(variants.map((name) => [name, meansOf(of, name)]));
    const languages = [...groupBy(of, ({ language }) => language)].sort(([a], [b]) => (a < b ? -1 : 1));
    const byLanguage = Object.fromEntries(languages.map(([name, list]) => [name, meansOf(list, 'ranking')]));
    const times = of.map(({ milliseconds }) => milliseconds);
    const time = { p50: Math.round(quantile(times, 0.5)), p95: Math.round(quantile(times, 0.95)) };
    sets[set] = { tasks: of.length, time, byVariant, byLanguage };
    parts.push(
      scoreTable(
        variants.map((name) => [name, of.length, byVariant[name]]),
        set,
      ),
      `time of a ranking: median ${time.p50} ms, 95th percentile ${time.p95} ms`,
    );
    if (languages.length > 1)
      parts.push(
        scoreTable(
          languages.map(([name, list]) => [name, list.length, byLanguage[name]]),
          `${set} by language`,
        ),
      );
  }
  return { text: parts.join('\n\n'), sets };
}
