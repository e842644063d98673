/** A key with at most one `*` and what it stands for: `paths` of a tsconfig, `exports` of a package. */
export interface PathPattern {
  readonly prefix: string;
  /** Null when the key has no `*` and must match as a whole. */
  readonly suffix: string | null;
  readonly targets: readonly string[];
}

/** More patterns than anyone writes by hand: what is above it is not worth a slow scan. */
const MAX_PATTERNS = 2_000;

export function pathPattern(key: string, targets: readonly string[]): PathPattern {
  const star = key.indexOf('*');
  if (star < 0) return { prefix: key, suffix: null, targets };
  return { prefix: key.slice(0, star), suffix: key.slice(star + 1), targets };
}

/** Whole keys first, then the longest prefix. */
export function sortPatterns(patterns: readonly PathPattern[]): PathPattern[] {
  return patterns
    .slice(0, MAX_PATTERNS)
    .sort(
      (left, right) =>
        Number(left.suffix !== null) - Number(right.suffix !== null) ||
        right.prefix.length - left.prefix.length,
    );
}

/** The targets of every pattern that matches, best first, with `*` filled in. */
export function matchPatterns(patterns: readonly PathPattern[], value: string): string[] {
  const found: string[] = [];
  for (const { prefix, suffix, targets } of patterns) {
    if (suffix === null) {
      if (value === prefix) found.push(...targets);
    } else if (
      value.length >= prefix.length + suffix.length &&
      value.startsWith(prefix) &&
      value.endsWith(suffix)
    ) {
      const middle = value.slice(prefix.length, value.length - suffix.length);
      for (const target of targets) found.push(target.replaceAll('*', () => middle));
    }
  }
  return found;
}
