/** Scripts written without spaces: searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lu}+|\p{Lo}+|\p{N}+/gu;
const ASCII_PARTS = /[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
const ASCII = /^[\x20-\x7e]*$/;

function pairs(run: string): string[] {
  const characters = [...run];
  if (characters.length < 2) return characters;
  return characters.slice(1).map((character, index) => characters[index]! + character);
}

/**
 * The lower-case words a written word answers to: itself without underscores, and its parts. `parseHTTPHeaders2`
 * answers to `parsehttpheaders2`, `parse`, `http`, `headers`, `2`; a run of Han characters to its pairs.
 */
export function wordParts(word: string): string[] {
  const ascii = ASCII.test(word);
  const found = word.match(ascii ? ASCII_PARTS : PARTS) ?? [];
  const parts = new Set<string>();
  const whole = word.replaceAll('_', '').toLowerCase();
  if (whole !== '') parts.add(whole);
  if (found.length < 2 && ascii) return [...parts];
  for (const part of found) {
    const lower = part.toLowerCase();
    if (!ascii && UNSPACED.test(lower)) for (const pair of pairs(lower)) parts.add(pair);
    else parts.add(lower);
  }
  return [...parts];
}
