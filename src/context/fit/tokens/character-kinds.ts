/** Kinds of characters, as the public encodings tell them apart. */
export const SIGN = 0;
export const UPPER = 1;
export const LOWER = 2;
/** A letter without case: at home in both halves of a word. */
export const EITHER = 3;
/** Part of a word like a letter without case; like a sign it may also stand in front of one. */
export const MARK = 4;
export const DIGIT = 5;
export const BLANK = 6;
export const BREAK = 7;

/** `\p{White_Space}`, not `\s`: with U+0085, without the byte order mark, as the encodings were published. */
const PATTERNS: readonly (readonly [kind: number, pattern: RegExp])[] = [
  [UPPER, /[\p{Lu}\p{Lt}]/u],
  [LOWER, /\p{Ll}/u],
  [EITHER, /[\p{Lm}\p{Lo}]/u],
  [MARK, /\p{M}/u],
  [DIGIT, /\p{N}/u],
  [BREAK, /[\r\n]/],
  [BLANK, /\p{White_Space}/u],
];

const PAGE_BITS = 8;
const PAGE = 1 << PAGE_BITS;

const pages: (Uint8Array | undefined)[] = new Array(0x110000 >> PAGE_BITS);

/** A whole page at once: neighbours are of the same script and are asked for next. */
function makePage(page: number): Uint8Array {
  return Uint8Array.from({ length: PAGE }, (_, at) => {
    const character = String.fromCodePoint(page * PAGE + at);
    return PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? SIGN;
  });
}

export function kindOf(code: number): number {
  const page = code >> PAGE_BITS;
  pages[page] ??= makePage(page);
  return pages[page]![code & (PAGE - 1)]!;
}

export const ASCII_KINDS: Uint8Array = makePage(0).subarray(0, 128);
