// How a written word is cut into the parts that it is found by. Scans, ranking and stores must agree on this.

/** Scripts written without spaces: searched by pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Parts of a word beyond ASCII: runs of capitals, a capital with small letters, other letters, digits. */
const PARTS = /\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?\p{Ll}[\p{Ll}\p{M}]*|\p{Lu}+|\p{Lo}+|\p{N}+/gu;

/** Classes of ASCII characters. */
const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** By ranges of codes: a regular expression takes several times as long. */
function asciiClass(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/** A new part begins where the kind of character changes, but `Parse` is one and so is the `HTTP` of `HTTPHeaders`. */
function asciiParts(word: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let before = OTHER;
  for (let at = 0; at <= word.length; at++) {
    const kind = at < word.length ? asciiClass(word.charCodeAt(at)) : OTHER;
    if (kind === before) continue;
    if (before === UPPER && kind === LOWER && at - start > 1) {
      parts.push(word.slice(start, at - 1));
      start = at - 1;
    } else if (!(before === UPPER && kind === LOWER)) {
      if (before !== OTHER) parts.push(word.slice(start, at));
      start = at;
    }
    before = kind;
  }
  return parts;
}

/** Most words are ASCII, and have a faster way. */
function isAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) > 127) return false;
  return true;
}

/** Neighbouring characters, two by two; a single one stays alone. */
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
  const ascii = isAscii(word);
  const found = ascii ? asciiParts(word) : (word.match(PARTS) ?? []);
  const whole = (word.includes('_') ? word.replaceAll('_', '') : word).toLowerCase();
  const parts = whole === '' ? [] : [whole];
  if (ascii && found.length < 2) return parts;
  for (const part of found) {
    const lower = part.toLowerCase();
    for (const one of !ascii && UNSPACED.test(lower) ? pairs(lower) : [lower])
      if (!parts.includes(one)) parts.push(one);
  }
  return parts;
}
