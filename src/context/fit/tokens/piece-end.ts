/**
 * The public encodings first split text into pieces by a regular expression, then merge bytes inside each
 * piece. This is the expression written out over bytes of UTF-8, at several times its speed.
 */
export interface PieceRules {
  /** `fooBar` is two pieces. */
  readonly splitsAtCapitals: boolean;
  /** `'ll` belongs to the word before it; otherwise it is a piece of its own. */
  readonly contractionsJoin: boolean;
  /** `/` may follow the line breaks behind punctuation. */
  readonly slashFollowsBreak: boolean;
  /** Accents and their like are part of words; otherwise they are signs. */
  readonly marksJoin: boolean;
}

/** Where the piece that begins at `start` ends; the text ends at `end`. */
type PieceEnd = (bytes: Uint8Array, start: number, end: number) => number;

const SPACE = 32;
const APOSTROPHE = 39;
const SLASH = 47;
const FIRST_WIDE = 0x80;
/** Behind the last character. */
const NO_KIND = 255;

export function createPieceEnd(rules: PieceRules): PieceEnd {
  const { splitsAtCapitals, contractionsJoin, slashFollowsBreak, marksJoin } = rules;
  /** Bytes of the character that was looked at last. */
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

  /** The end of a word, or its start when it would need a small letter and has none. */
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
    // the last letter without case stands in for the small ones; capitals behind it begin a word of their own
    if (behindEither !== -1) return behindEither;
    return needsSmall ? start : at;
  }

  function wordEnd(bytes: Uint8Array, lettersBehind: number, end: number): number {
    const isJoined = contractionsJoin && lettersBehind < end && bytes[lettersBehind] === APOSTROPHE;
    return isJoined ? contractionEnd(bytes, lettersBehind, end) : lettersBehind;
  }

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

  /** Blanks belong together up to the last line break among them; the last blank belongs to what follows it. */
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

/** The end of `'s`, `'t`, `'re` and their like at an apostrophe, or the apostrophe's own place. */
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
/** A letter without case: at home in both halves of a word. */
const EITHER = 3;
/** Part of a word like a letter without case; like a sign it may also stand in front of one. */
const MARK = 4;
const DIGIT = 5;
const BLANK = 6;
const BREAK = 7;

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

function kindOf(code: number): number {
  const page = code >> PAGE_BITS;
  pages[page] ??= makePage(page);
  return pages[page]![code & (PAGE - 1)]!;
}

const ASCII_KINDS: Uint8Array = makePage(0).subarray(0, 128);
