const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const MARK = 4;

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : MARK;
}

/** Bits per character, by the characters' own frequencies. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

const LETTER_RUN = /[A-Z]?[a-z]{3,}|[A-Z]{4,}/g;
const VOWELS = /[aeiouy]/gi;
const CROWD_OF_CONSONANTS = /[^aeiouy]{5}/i;

/** Can be read aloud, more or less. */
function isWord(run: string): boolean {
  const vowels = run.match(VOWELS)?.length ?? 0;
  return vowels >= run.length * 0.2 && vowels <= run.length * 0.7 && !CROWD_OF_CONSONANTS.test(run);
}

function wordShare(value: string): number {
  let letters = 0;
  for (const run of value.match(LETTER_RUN) ?? []) if (isWord(run)) letters += run.length;
  return letters / value.length;
}

const HEX = /^[0-9a-f]+$|^[0-9A-F]+$/;
const DOTTED_NAME = /^[A-Za-z_]\w*(?:[.:/\\-]+[A-Za-z_]\w*)+$/;

/** True when a value reads like the output of a generator, not like a name, a word or a number. */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least) return false;
  let changes = 0;
  let before = 0;
  const classes = new Set<number>();
  for (let at = 0; at < value.length; at++) {
    const kind = classOf(value.charCodeAt(at));
    if (kind !== before) changes++;
    classes.add(kind);
    before = kind;
  }
  if (!classes.has(DIGIT) || !(classes.has(LOWER) || classes.has(UPPER))) return false;
  if (HEX.test(value)) return value.length >= Math.max(least, 20) && entropyOf(value) >= 2.8;
  if (changes < Math.max(4, value.length / 5) || wordShare(value) > 0.5) return false;
  if (DOTTED_NAME.test(value) && wordShare(value) > 0.3) return false;
  return entropyOf(value) >= Math.min(3.2, Math.log2(value.length) * 0.8);
}

/** A password that a person made up: short, but of at least three kinds of characters in turn. */
export function looksLikePassword(value: string): boolean {
  if (looksRandom(value, 16)) return true;
  const kinds = new Set<number>();
  let changes = 0;
  for (let at = 0; at < value.length; at++) {
    const kind = classOf(value.charCodeAt(at));
    if (at > 0 && kind !== classOf(value.charCodeAt(at - 1))) changes++;
    kinds.add(kind);
  }
  const isMixed = kinds.size >= 3 && kinds.has(DIGIT) && changes >= 4;
  return isMixed && value.length >= 8 && value.length <= 40 && wordShare(value) <= 0.6;
}
