/** The kinds of text that a word can be in; the index stores the number. */
export const WORD_FIELD = { code: 0, comment: 1, string: 2, definition: 3 } as const;

export type WordField = (typeof WORD_FIELD)[keyof typeof WORD_FIELD];

/** The distinct words of many files, as written, numbered in order of first occurrence. */
export interface Vocabulary {
  readonly words: readonly string[];
  idOf(word: string): number | undefined;
}

/** The words of one file as columns: occurrence `i` is word `distinct[occurrences[i]]` on line `lines[i]`, in text order. */
export interface FileWords {
  /** Numbers in the vocabulary, each once, in order of first occurrence. */
  readonly distinct: Uint32Array;
  readonly occurrences: Uint32Array;
  readonly lines: Uint32Array;
  readonly fields: Uint8Array;
}
