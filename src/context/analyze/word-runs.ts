// Words in a text. Tasks can be long logs, so the class of each character is looked up in a table.

const OTHER = 1;
const WORD = 2;

/** The class of each UTF-16 unit; 0 when it is not known yet. ASCII is filled in below. */
const classes = new Uint8Array(65_536);
for (let unit = 0; unit < 128; unit++) {
  const character = String.fromCharCode(unit);
  classes[unit] = /\w/.test(character) ? WORD : OTHER;
}

/** Whether a UTF-16 unit is part of a word: a letter, a mark, a digit or an underscore, as in the index. */
export function isWordUnit(unit: number): boolean {
  // `charCodeAt` gives NaN after the end of a text.
  if (Number.isNaN(unit)) return false;
  const known = classes[unit]!;
  if (known !== 0) return known === WORD;
  const isWord = /[\p{L}\p{M}\p{N}_]/u.test(String.fromCharCode(unit));
  classes[unit] = isWord ? WORD : OTHER;
  return isWord;
}

/** Whether a text contains a word. */
export function hasWord(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (isWordUnit(text.charCodeAt(at))) return true;
  return false;
}

/** In characters. Longer runs are encoded data and not words. The index leaves them out as well. */
const MAX_WORD = 64;

/** The words of a text as written, in order. */
export function wordRuns(text: string): string[] {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (!isWordUnit(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const start = at;
    while (at < text.length && isWordUnit(text.charCodeAt(at))) at++;
    if (at - start <= MAX_WORD) words.push(text.slice(start, at));
  }
  return words;
}

/** One expression that matches if any of the given ones does. It keeps long alternatives readable. */
export function anyOf(...patterns: readonly [RegExp, ...RegExp[]]): RegExp {
  return new RegExp(patterns.map(({ source }) => `(?:${source})`).join('|'), patterns[0].flags);
}
