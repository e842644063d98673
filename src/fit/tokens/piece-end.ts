/**
 * The public encodings first split text into pieces by a regular expression, then merge bytes inside each
 * piece. Source code is nearly all ASCII, for which the expression is a few loops; wherever a wider character
 * takes part in a piece, the expression itself decides.
 */
export interface PieceRules {
  /** The split expression of the encoding, sticky. */
  readonly pattern: RegExp;
  /** `fooBar` is two pieces. */
  readonly splitsAtCapitals: boolean;
  /** `'ll` belongs to the word before it; otherwise it is a piece of its own. */
  readonly contractionsJoin: boolean;
  /** `/` may follow the line breaks behind punctuation. */
  readonly slashFollowsBreak: boolean;
}

const [SIGN, UPPER, LOWER, DIGIT, BLANK, BREAK] = [0, 1, 2, 3, 4, 5] as const;
const SPACE = 32;
const APOSTROPHE = 39;
const SLASH = 47;
const FIRST_WIDE = 128;

const KINDS = new Uint8Array(FIRST_WIDE);
KINDS.fill(UPPER, 65, 91).fill(LOWER, 97, 123).fill(DIGIT, 48, 58).fill(BLANK, 9, 14);
KINDS[SPACE] = BLANK;
KINDS[10] = KINDS[13] = BREAK;

/** Where the piece that begins at `start` ends. */
export function pieceEnd(text: string, start: number, rules: PieceRules): number {
  const first = text.charCodeAt(start);
  if (first >= FIRST_WIDE) return byPattern(text, start, rules);
  const kind = KINDS[first];
  if (kind === UPPER || kind === LOWER) return wordEnd(text, start, start, rules);
  if (kind === DIGIT) return digitsEnd(text, start, rules);
  if (kind === BREAK) return blankEnd(text, start, rules);
  if (first === APOSTROPHE && !rules.contractionsJoin) {
    const end = contractionEnd(text, start);
    if (end > start) return end;
  }
  // behind the last character NaN is no kind at all
  const second = text.charCodeAt(start + 1);
  if (second >= FIRST_WIDE) return byPattern(text, start, rules);
  const secondKind = KINDS[second];
  if (secondKind === UPPER || secondKind === LOWER) return wordEnd(text, start, start + 1, rules);
  if (kind === SIGN || (first === SPACE && secondKind === SIGN)) return signsEnd(text, start, rules);
  return blankEnd(text, start, rules);
}

function byPattern(text: string, start: number, { pattern }: PieceRules): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : start + 1;
}

function wordEnd(text: string, start: number, letters: number, rules: PieceRules): number {
  let at = letters;
  let code = text.charCodeAt(at);
  if (rules.splitsAtCapitals) {
    while (KINDS[code] === UPPER) code = text.charCodeAt(++at);
    while (KINDS[code] === LOWER) code = text.charCodeAt(++at);
  } else {
    while (KINDS[code] === LOWER || KINDS[code] === UPPER) code = text.charCodeAt(++at);
  }
  if (code >= FIRST_WIDE) return byPattern(text, start, rules);
  return code === APOSTROPHE && rules.contractionsJoin ? contractionEnd(text, at) : at;
}

/** The end of `'s`, `'t`, `'re` and their like at an apostrophe, or the apostrophe's own place. */
function contractionEnd(text: string, at: number): number {
  const first = text.charCodeAt(at + 1) | 32;
  if (first === 115 || first === 100 || first === 109 || first === 116) return at + 2;
  const second = text.charCodeAt(at + 2) | 32;
  if (first === 108 && second === 108) return at + 3;
  return (first === 118 || first === 114) && second === 101 ? at + 3 : at;
}

function digitsEnd(text: string, start: number, rules: PieceRules): number {
  let at = start + 1;
  while (at < start + 3 && KINDS[text.charCodeAt(at)] === DIGIT) at++;
  return at < start + 3 && text.charCodeAt(at) >= FIRST_WIDE ? byPattern(text, start, rules) : at;
}

function signsEnd(text: string, start: number, rules: PieceRules): number {
  let at = start + 1;
  let code = text.charCodeAt(at);
  while (KINDS[code] === SIGN) code = text.charCodeAt(++at);
  if (code >= FIRST_WIDE) return byPattern(text, start, rules);
  while (KINDS[code] === BREAK || (code === SLASH && rules.slashFollowsBreak)) code = text.charCodeAt(++at);
  return at;
}

/** Blanks belong together up to the last line break among them; the last blank belongs to what follows it. */
function blankEnd(text: string, start: number, rules: PieceRules): number {
  let at = start;
  let behindBreak = -1;
  let kind = KINDS[text.charCodeAt(at)];
  while (kind === BLANK || kind === BREAK) {
    at++;
    if (kind === BREAK) behindBreak = at;
    kind = KINDS[text.charCodeAt(at)];
  }
  if (text.charCodeAt(at) >= FIRST_WIDE) return byPattern(text, start, rules);
  if (behindBreak > start) return behindBreak;
  return at === text.length || at === start + 1 ? at : at - 1;
}
