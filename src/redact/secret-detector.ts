/** A place where a secret may stand, as a detector's pattern found it. */
export interface SecretCandidate {
  /** What would be replaced. */
  readonly value: string;
  /** What stands on the same line in front of the anchor, at most `NAME_REACH` characters. */
  readonly before: string;
  readonly anchor: string;
  readonly match: RegExpExecArray;
}

export const NAME_REACH = 40;

/**
 * One kind of secret, as data. The text is searched for anchors alone; the pattern is tried only where one
 * stands, so it must be sticky and run over a bounded stretch: that keeps the whole search linear.
 */
export interface SecretDetector {
  /** Stable, kebab-case: it is what the reader sees in place of the value. */
  readonly kind: string;
  /** Fixed texts of at least three ASCII characters. */
  readonly anchors: readonly string[];
  /**
   * Flag `y`. Group `secret`, which must be the end of the match, is what gets replaced; without it the whole
   * match. Group `before`, in a look-behind, is replaced too.
   */
  readonly pattern: RegExp;
  /** Where the pattern begins: with the anchor, or right behind it. */
  readonly begins?: 'behind-anchor';
  /** False for examples, placeholders and the like. */
  readonly accept?: (candidate: SecretCandidate) => boolean;
  /** Only in files whose path matches. */
  readonly paths?: RegExp;
}
