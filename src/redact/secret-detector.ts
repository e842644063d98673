// The shapes of detectors: how one kind of secret is declared.

/** A possible secret, as a detector's pattern found it. */
interface SecretCandidate {
  /** The text that would be replaced. */
  readonly value: string;
  /** The text before the anchor on its line, at most `NAME_REACH` characters. */
  readonly before: string;
  readonly anchor: string;
  readonly match: RegExpExecArray;
}

export const NAME_REACH = 40;

/** Where an anchor was found. */
export interface AnchoredPlace {
  readonly text: string;
  readonly path: string;
  readonly at: number;
  readonly anchor: string;
}

export interface SecretRange {
  readonly start: number;
  readonly end: number;
}

interface Anchors {
  /** Stable, kebab-case: it is what the reader sees in place of the value. */
  readonly kind: string;
  /** Fixed texts of at least three ASCII characters. */
  readonly anchors: readonly string[];
  /** Only in files whose path matches. */
  readonly paths?: RegExp;
}

/**
 * One kind of secret, as data. The text is searched for anchors alone; the pattern is tried only where one
 * is, so it must be sticky and run over a bounded stretch: that keeps the whole search linear.
 */
export interface PatternDetector extends Anchors {
  /**
   * Flag `y`. Group `secret`, which must be the end of the match, is what gets replaced; without it the whole
   * match. Group `before`, in a look-behind, is replaced too.
   */
  readonly pattern: RegExp;
  /** False for examples, placeholders and the like. */
  readonly accept?: (candidate: SecretCandidate) => boolean;
}

/** A kind that needs more than one pattern. It too looks at a bounded stretch only. */
interface ReadingDetector extends Anchors {
  readonly read: (place: AnchoredPlace) => SecretRange | null;
}

/** Finds one kind of secret, by a pattern or by reading on from an anchor. */
export type SecretDetector = PatternDetector | ReadingDetector;

/** A file format in which the position alone marks the secret. Its pattern runs once over the whole text. */
export interface FormatDetector {
  readonly kind: string;
  readonly paths: RegExp;
  /** Flags `g` and `d`, and linear. Group `secret` is what gets replaced. */
  readonly pattern: RegExp;
  readonly accept?: (match: RegExpExecArray, secret: string) => boolean;
}
