/** How well a ranking finds the changed files, or the mean of many rankings. All values are 0..1. */
export interface Measures {
  /** All changed files are within the first 1, 3, 5, 10. */
  readonly within1: number;
  readonly within3: number;
  readonly within5: number;
  readonly within10: number;
  /** Share of the changed files within the first 10. */
  readonly recall10: number;
  /** 1 divided by the position of the first changed file; 0 when none was found. */
  readonly reciprocalRank: number;
}

const NAMES = ['within1', 'within3', 'within5', 'within10', 'recall10', 'reciprocalRank'] as const;

/** Measures one ranking. Paths are best first, and `changed` is not empty. */
export function measure(ranked: readonly string[], changed: readonly string[]): Measures {
  const places = changed.map((path) => ranked.indexOf(path)).filter((place) => place >= 0);
  const within = (count: number) => places.filter((place) => place < count).length;
  const all = (count: number) => (within(count) === changed.length ? 1 : 0);
  return {
    within1: all(1),
    within3: all(3),
    within5: all(5),
    within10: all(10),
    recall10: within(10) / changed.length,
    reciprocalRank: places.length > 0 ? 1 / (Math.min(...places) + 1) : 0,
  };
}

/** The mean of each value; all 0 for an empty list. */
export function meanMeasures(list: readonly Measures[]): Measures {
  const means = NAMES.map((name) => [name, mean(list.map((measures) => measures[name]))]);
  return Object.fromEntries(means) as unknown as Measures;
}

/** One number for a ranking, which tuning maximizes. The first position counts most, the first ten still count. */
export function worth({ within1, within5, within10, recall10, reciprocalRank }: Measures): number {
  return 0.3 * within1 + 0.25 * within5 + 0.25 * within10 + 0.1 * recall10 + 0.1 * reciprocalRank;
}

/** 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
