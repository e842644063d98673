/** How many tokens of a budget each part beside the files may take at most. */
export interface Shares {
  readonly conventions: number;
  readonly environment: number;
  readonly externals: number;
  readonly dependencies: number;
  readonly task: number;
  readonly diff: number;
}

const share = (budget: number, part: number, most: number): number =>
  Math.min(most, Math.floor(budget * part));

/** Small where the budget is small: the files are what was asked for. */
export function sharesOf(budget: number): Shares {
  return {
    conventions: share(budget, 0.04, 2_000),
    environment: share(budget, 0.02, 300),
    externals: share(budget, 0.04, 1_500),
    dependencies: share(budget, 0.02, 800),
    task: share(budget, 0.2, 8_000),
    diff: share(budget, 0.5, 100_000),
  };
}
