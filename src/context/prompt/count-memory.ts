/** Counts of texts that were counted before. */
export interface CountMemory {
  count(text: string, count: (text: string) => number): number;
}

/** As many characters as ten large prompts are made of; twice as many may be held. */
const MOST_CHARACTERS = 8_000_000;

/**
 * Remembers the counts of the texts that were asked for last. Two generations: when the young one is full, it becomes the
 * old one, and what nobody asked for since then is forgotten with the one before.
 */
export function createCountMemory(mostCharacters = MOST_CHARACTERS): CountMemory {
  let young = new Map<string, number>();
  let old = new Map<string, number>();
  let characters = 0;
  return {
    count(text, count) {
      const known = young.get(text);
      if (known !== undefined) return known;
      const tokens = old.get(text) ?? count(text);
      if (characters + text.length > mostCharacters) {
        old = young;
        young = new Map();
        characters = 0;
      }
      young.set(text, tokens);
      characters += text.length;
      return tokens;
    },
  };
}
