/** One expression that matches where any of the given ones does: a long list of forms stays readable. */
export function anyOf(...patterns: readonly [RegExp, ...RegExp[]]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), patterns[0].flags);
}
