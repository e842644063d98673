import { groupBy } from './score.mjs';

/**
 * Parts of about equal size, no repository in two of them. Sets name a repository with or without its owner, and a
 * fork has the name of its origin, so the name alone decides.
 */
export function foldsOf(tasks, count) {
  const groups = [...groupBy(tasks, ({ repo }) => repo.split('/').at(-1).toLowerCase())];
  groups.sort(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1));
  const folds = Array.from({ length: count }, () => []);
  for (const [, group] of groups) {
    const smallest = folds.reduce((least, fold) => (fold.length < least.length ? fold : least));
    smallest.push(...group);
  }
  return folds.filter(({ length }) => length > 0);
}
