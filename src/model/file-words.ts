/** Where a word can stand; the number is what the index stores. */
export const WORD_FIELD = { code: 0, comment: 1, string: 2, definition: 3 } as const;

export type WordField = (typeof WORD_FIELD)[keyof typeof WORD_FIELD];

/** The words of one file as columns: occurrence `i` is word `wordIds[i]` on line `lines[i]`, in text order. */
export interface FileWords {
  /** Distinct words as written, in order of first occurrence. */
  readonly words: readonly string[];
  readonly wordIds: Uint32Array;
  readonly lines: Uint32Array;
  readonly fields: Uint8Array;
}
