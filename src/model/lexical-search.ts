import type { WORD_FIELD } from './file-words.ts';

export type WordFieldName = keyof typeof WORD_FIELD;

/** A word in all its forms; counts of the forms add up, each times its weight. */
export interface LexicalTerm {
  /** Lower-case, as `wordParts` gives them; sorted. */
  readonly words: readonly { readonly word: string; readonly weight: number }[];
  readonly weight: number;
}

/**
 * BM25 over fields. The statistics are those of the whole snapshot; files with equal content count once there, and
 * each of them is found.
 */
export interface LexicalSearch {
  readonly terms: readonly LexicalTerm[];
  /** What a word counts by where it stands. */
  readonly fields: Readonly<Record<WordFieldName, number>>;
  /** 0: long files are not held back; 1: fully. */
  readonly lengthShare: number;
  readonly saturation: number;
}
