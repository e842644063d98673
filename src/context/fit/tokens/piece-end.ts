/**
 * The public encodings split text into pieces by a regular expression and then merge bytes inside each piece. This file
 * is that expression, written out over bytes of UTF-8 and several times as fast. The rules are the differences between
 * the encodings.
 */
export interface PieceRules {
  /** `fooBar` is two pieces. */
  readonly splitsAtCapitals: boolean;
  /** `'ll` belongs to the word before it. Otherwise it is a piece of its own. */
  readonly contractionsJoin: boolean;
  /** A `/` may follow the line breaks after punctuation. */
  readonly slashFollowsBreak: boolean;
  /** Combining marks such as accents are part of words. Otherwise they are signs. */
  readonly marksJoin: boolean;
}

/** The end of the piece that begins at `start`. The text ends at `end`. */
type PieceEnd = (bytes: Uint8Array, start: number, end: number) => number;

const SPACE = 32;
const APOSTROPHE = 39;
const SLASH = 47;
const FIRST_WIDE = 0x80;
/** The kind after the last character. */
const NO_KIND = 255;

/** Makes the splitter for one encoding. */
export function createPieceEnd(rules: PieceRules): PieceEnd {
  const { splitsAtCapitals, contractionsJoin, slashFollowsBreak, marksJoin } = rules;
  /** The width in bytes of the last character that `kindAt` has read. */
  let width = 1;

  function kindAt(bytes: Uint8Array, at: number, end: number): number {
    width = 1;
    if (at >= end) return NO_KIND;
    const first = bytes[at]!;
    return first < FIRST_WIDE ? ASCII_KINDS[first]! : wideKind(bytes, at, first);
  }

  function wideKind(bytes: Uint8Array, at: number, first: number): number {
    width = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let code = first & (0x7f >> width);
    for (let next = 1; next < width; next++) code = (code << 6) | (bytes[at + next]! & 0x3f);
    const kind = kindOf(code);
    return kind === MARK && !marksJoin ? SIGN : kind;
  }

  /** The end of a word. With `needsSmall`, its start when it has no small letter. */
  function lettersEnd(bytes: Uint8Array, start: number, end: number, needsSmall: boolean): number {
    let at = start;
    let kind = kindAt(bytes, at, end);
    if (!splitsAtCapitals) {
      for (; kind >= UPPER && kind <= MARK; kind = kindAt(bytes, at, end)) at += width;
      return at;
    }
    let behindEither = -1;
    for (; kind === UPPER || kind === EITHER || kind === MARK; kind = kindAt(bytes, at, end)) {
      at += width;
      if (kind !== UPPER) behindEither = at;
    }
    if (kind === LOWER) {
      for (; kind >= LOWER && kind <= MARK; kind = kindAt(bytes, at, end)) at += width;
      return at;
    }
    // The last letter without case counts as a small one. Capitals after it begin another word.
    if (behindEither !== -1) return behindEither;
    return needsSmall ? start : at;
  }

  function wordEnd(bytes: Uint8Array, lettersBehind: number, end: number): number {
    const isJoined = contractionsJoin && lettersBehind < end && bytes[lettersBehind] === APOSTROPHE;
    return isJoined ? contractionEnd(bytes, lettersBehind, end) : lettersBehind;
  }

  /** At most three digits make a piece. */
  function digitsEnd(bytes: Uint8Array, second: number, end: number): number {
    let at = second;
    for (let digits = 1; digits < 3 && kindAt(bytes, at, end) === DIGIT; digits++) at += width;
    return at;
  }

  function signsEnd(bytes: Uint8Array, second: number, end: number): number {
    let at = second;
    let kind = kindAt(bytes, at, end);
    for (; kind === SIGN || kind === MARK; kind = kindAt(bytes, at, end)) at += width;
    while (kind === BREAK || (slashFollowsBreak && at < end && bytes[at] === SLASH))
      kind = kindAt(bytes, ++at, end);
    return at;
  }

  /** Blanks form a piece up to the last line break among them. Without one, the last blank belongs to the next piece. */
  function blankEnd(bytes: Uint8Array, start: number, end: number): number {
    let at = start;
    let last = start;
    let behindBreak = -1;
    let kind = kindAt(bytes, at, end);
    for (; kind === BLANK || kind === BREAK; kind = kindAt(bytes, at, end)) {
      last = at;
      at += width;
      if (kind === BREAK) behindBreak = at;
    }
    if (behindBreak !== -1) return behindBreak;
    return at === end || last === start ? at : last;
  }

  return (bytes, start, end) => {
    const kind = kindAt(bytes, start, end);
    const second = start + width;
    if (kind >= UPPER && kind <= EITHER) return wordEnd(bytes, lettersEnd(bytes, start, end, false), end);
    if (kind === DIGIT) return digitsEnd(bytes, second, end);
    if (kind === BREAK) return blankEnd(bytes, start, end);
    const first = bytes[start]!;
    if (first === APOSTROPHE && !contractionsJoin) {
      const behind = contractionEnd(bytes, start, end);
      if (behind > start) return behind;
    }
    const secondKind = kindAt(bytes, second, end);
    if (secondKind >= UPPER && secondKind <= MARK) {
      const behind = lettersEnd(bytes, second, end, kind === MARK);
      if (behind > second) return wordEnd(bytes, behind, end);
    }
    if (kind === MARK) return wordEnd(bytes, lettersEnd(bytes, start, end, false), end);
    if (kind === SIGN || (first === SPACE && secondKind === SIGN)) return signsEnd(bytes, second, end);
    return blankEnd(bytes, start, end);
  };
}

/** The end of a contraction such as `'s`, `'t` or `'re`, or the offset of the apostrophe when there is none. */
function contractionEnd(bytes: Uint8Array, at: number, end: number): number {
  const first = at + 1 < end ? bytes[at + 1]! | 32 : 0;
  if (first === 115 || first === 100 || first === 109 || first === 116) return at + 2;
  const second = at + 2 < end ? bytes[at + 2]! | 32 : 0;
  if (first === 108 && second === 108) return at + 3;
  return (first === 118 || first === 114) && second === 101 ? at + 3 : at;
}

/** Kinds of characters, as the public encodings tell them apart. */
const SIGN = 0;
const UPPER = 1;
const LOWER = 2;
/** A letter without case. It can be in both halves of a word. */
const EITHER = 3;
/** A combining mark. It is part of a word like a letter without case, and may come before one like a sign. */
const MARK = 4;
const DIGIT = 5;
const BLANK = 6;
const BREAK = 7;

/** `\p{White_Space}` instead of `\s`: it has U+0085 and not the byte order mark, as in the published encodings. */
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

/** Classifies a whole page at once, because a text mostly stays in one script. */
function makePage(page: number): Uint8Array {
  return Uint8Array.from({ length: PAGE }, (_, at) => {
    const character = String.fromCodePoint(page * PAGE + at);
    return PATTERNS.find(([, pattern]) => pattern.test(character))?.[0] ?? SIGN;
  });
}

function kindOf(code: number): number {
  const page = code >> PAGE_BITS;
  pages[page] ??= makePage(page);
  return pages[page]![code & (PAGE - 1)]!;
}

const ASCII_KINDS: Uint8Array = makePage(0).subarray(0, 128);
