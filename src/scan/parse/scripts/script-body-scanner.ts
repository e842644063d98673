// Finds the parts of a script that hold no definition, no import and no test, so that they can be blanked before the
// compiler parses it. It is a tokenizer that knows just enough of the language to tell bodies, values and types apart.
import { ALIAS, BODY, isBlank, KEEP, type OpenBracket, type Opened, TEMPLATE, VALUE } from '../blanks.ts';
import { textCodes } from '../tokenize.ts';

/** Characters. Shorter ranges cost less to parse than to blank. */
const MIN_BLANKED = 24;

/** A text with more slashes that open nothing is not a script. Each of them is searched to the end of its line. */
const MAX_STRAY_SLASHES = 1_000;

/** Stands for `=>`, which is not a single code unit. */
const ARROW = -1;
/** `: { a: string }`, `| { … }`, `& { … }`, `<{ … }`, `, { … }`, `( { … }`: an object type, not a body. */
const TYPE_LITERAL_BEFORE = new Set([58, 124, 38, 60, 44, 40]);
/** `Name<T> = {` after the word `type`. The lengths are bounded, so that hostile text costs little. */
const ALIAS_OPENING = /\s{1,99}[\w$]{1,999}\s{0,99}(?:<[^=;(){}]{0,999}>\s{0,99})?=\s{0,99}\{/y;

/** Scans a script once. `ranges` are the parts that can be blanked. */
export class ScriptBodyScanner {
  readonly ranges: [start: number, end: number][] = [];
  readonly #text: string;
  readonly #codes: Uint16Array;
  readonly #open: OpenBracket[] = [];
  #at = 0;
  #straySlashes = 0;
  #parenDepth = 0;
  /**
   * Depths of parentheses at which the brace of a class or another type is expected, as in `class A extends (class {`.
   */
  readonly #typesPending: number[] = [];
  /** The last character that is neither white space nor comment; `a` (97) stands for a word, whose range follows. */
  #last = 0;
  #wordStart = 0;
  #wordEnd = 0;
  /** A parameter list was just closed, followed at most by a return type. */
  #afterParameters = false;
  #inReturnType = false;
  /** Offset after the brace of a type alias; -1 when there is none. */
  #aliasStart = -1;

  constructor(text: string) {
    this.#text = text;
    this.#codes = textCodes(text);
  }

  /** False when brackets do not match. The text is then parsed as it is. */
  run(): boolean {
    const codes = this.#codes;
    const length = codes.length;
    while (this.#at < length) {
      const code = codes[this.#at]!;
      if (code <= 32) this.#at++;
      else if (WORD_CODES[code] === 1) this.#word();
      else if (!this.#punctuation(code)) return false;
    }
    return this.#open.length === 0;
  }

  readonly #lastWord = () => (this.#last === 97 ? this.#text.slice(this.#wordStart, this.#wordEnd) : '');

  #word(): void {
    const codes = this.#codes;
    const start = this.#at;
    let end = start + 1;
    while (end < codes.length && WORD_CODES[codes[end]!] === 1) end++;
    this.#at = end;
    // `a.require` is a property; `...require` is not.
    const afterDot = this.#last === 46 && codes[start - 2] !== 46;
    this.#last = 97;
    this.#wordStart = start;
    this.#wordEnd = afterDot ? start : end;
    if (!this.#inReturnType) this.#afterParameters = false;
    if (!afterDot && mayMatter(codes[start]!, end - start)) this.#meaningfulWord(start, end);
  }

  /** A word that may define something: the text around it must stay. */
  #meaningfulWord(start: number, end: number): void {
    const text = this.#text;
    const word = text.slice(start, end);
    if (KEPT_WORDS.has(word)) this.#keep();
    else if (TEST_WORDS.has(word) && /^\s*[(.]/.test(text.slice(end, end + 8))) this.#keep();
    else if (word === 'type' && /^\s+[\w$]/.test(text.slice(end, end + 8))) {
      this.#keep();
      ALIAS_OPENING.lastIndex = end;
      if (ALIAS_OPENING.test(text)) this.#aliasStart = ALIAS_OPENING.lastIndex;
    }
    if (TYPE_OPENERS.has(word) && this.#typesPending.at(-1) !== this.#parenDepth)
      this.#typesPending.push(this.#parenDepth);
  }

  /** Marks the innermost bracket: its content must stay. */
  #keep(): void {
    const top = this.#open.at(-1);
    if (top) top.hasKept = true;
  }

  /** Everything but words and white space. False when brackets do not match. */
  #punctuation(code: number): boolean {
    const codes = this.#codes;
    const next = codes[this.#at + 1];
    if (code === 47 && next === 47) return this.#skipTo('\n', this.#at, codes.length);
    if (code === 47 && next === 42) return this.#skipTo('*/', this.#at + 2, -1);
    if (code === 34 || code === 39) return this.#string(code);
    if (code === 96) return this.#template(this.#at + 1);
    if (code === 47 && mayStartRegex(this.#last, this.#lastWord) && this.#regex()) return true;
    this.#at++;
    if (code === 123) return this.#openBrace(false);
    if (code === 125 || code === 93) return this.#close(code);
    if (code === 91) this.#push(this.#isBeforeValue() || this.#isListInValue() ? VALUE : KEEP, 93);
    else if (code === 40) this.#parenDepth++;
    else if (code === 41) this.#closeParenthesis();
    this.#followSignature(code, next);
    this.#last = code;
    if (code === 61 && next === 62) {
      this.#at++;
      this.#last = ARROW;
      this.#meetFunction();
    }
    return this.#parenDepth >= 0 && this.#straySlashes <= MAX_STRAY_SLASHES;
  }

  /** Marks the innermost bracket: it holds a function. */
  #meetFunction(): void {
    const top = this.#open.at(-1);
    if (top) top.hasFunction = true;
  }

  #closeParenthesis(): void {
    if (this.#typesPending.at(-1) === this.#parenDepth) this.#typesPending.pop();
    this.#parenDepth--;
  }

  /** Tells `) {` and `): Promise<void> {` from all other braces. */
  #followSignature(code: number, next: number | undefined): void {
    if (code === 41) {
      this.#afterParameters = true;
      return;
    }
    if (code === 58 && this.#afterParameters && this.#last === 41) this.#inReturnType = true;
    else if (code === 59 || (code === 61 && next !== 62) || (code === 44 && this.#last !== 97)) {
      this.#inReturnType = false;
      this.#afterParameters = false;
    } else if (!this.#inReturnType) this.#afterParameters = false;
  }

  /** Whether a bracket here is a value. Elsewhere it may hold names of imports or variables. */
  #isBeforeValue(): boolean {
    if (this.#last === 61 || this.#last === 40) return true;
    if (this.#last === 44) return this.#parenDepth > (this.#open.at(-1)?.parenDepth ?? 0);
    const word = this.#wordEnd - this.#wordStart;
    return this.#last === 97 && (word === 6 || word === 7) && /^(?:default|return)$/.test(this.#lastWord());
  }

  /** A list in an object or a list, but not a name in brackets, as in `{ [key]() {} }`. */
  #isListInValue(): boolean {
    const around = this.#open.at(-1);
    if (around?.opened !== VALUE) return false;
    return this.#last === 58 || this.#last === 91 || (this.#last === 44 && around.closer === 93);
  }

  #openBrace(isTemplate: boolean): boolean {
    const isType = this.#typesPending.at(-1) === this.#parenDepth;
    if (isType) this.#typesPending.pop();
    const isTypeLiteral = this.#inReturnType && TYPE_LITERAL_BEFORE.has(this.#last);
    let opened: Opened = isTemplate ? TEMPLATE : KEEP;
    if (opened === KEEP && !isType && !isTypeLiteral) {
      if (this.#last === ARROW || this.#afterParameters) opened = BODY;
      else if (this.#aliasStart === this.#at) opened = ALIAS;
      else if (this.#open.at(-1)?.opened === VALUE || this.#isBeforeValue()) opened = VALUE;
    }
    if (opened === BODY) this.#meetFunction();
    this.#push(opened, 125);
    if (!isTypeLiteral) this.#inReturnType = false;
    this.#afterParameters = isTypeLiteral;
    this.#last = 123;
    return true;
  }

  #push(opened: Opened, closer: number): void {
    this.#open.push({
      start: this.#at,
      opened,
      closer,
      parenDepth: this.#parenDepth,
      hasKept: false,
      hasFunction: false,
      rangesBefore: this.ranges.length,
    });
  }

  #close(code: number): boolean {
    const bracket = this.#open.pop();
    if (!bracket || bracket.closer !== code || bracket.parenDepth !== this.#parenDepth) return false;
    const { start, opened, hasKept, hasFunction, rangesBefore } = bracket;
    const end = this.#at - 1;
    if (hasKept) this.#keep();
    if (hasFunction) this.#meetFunction();
    if (isBlank(bracket) && end - start >= MIN_BLANKED) {
      this.ranges.length = rangesBefore;
      this.ranges.push([start, end]);
    }
    if (code === 93) this.#followSignature(code, undefined);
    this.#last = code;
    return opened === TEMPLATE ? this.#template(this.#at) : true;
  }

  #skipTo(close: string, from: number, otherwise: number): boolean {
    const found = this.#text.indexOf(close, from);
    const end = found === -1 ? otherwise : found + close.length;
    if (end === -1) return false;
    this.#at = end;
    return true;
  }

  #string(quote: number): boolean {
    this.#at = stringEnd(this.#codes, this.#at);
    this.#last = quote;
    if (!this.#inReturnType) this.#afterParameters = false;
    return this.#at !== -1;
  }

  /** Skips the text of a template, from its backtick or from the `}` of an expression inside. */
  #template(from: number): boolean {
    const codes = this.#codes;
    for (let at = from; at < codes.length; at++) {
      const code = codes[at]!;
      if (code === 92) at++;
      else if (code === 96) {
        this.#at = at + 1;
        this.#last = 96;
        return true;
      } else if (code === 36 && codes[at + 1] === 123) {
        this.#at = at + 2;
        return this.#openBrace(true);
      }
    }
    return false;
  }

  #regex(): boolean {
    const end = regexEnd(this.#codes, this.#at);
    if (end === -1) {
      this.#straySlashes++;
      return false;
    }
    this.#at = end;
    this.#last = 93;
    return true;
  }
}

/** Words that define or load something. */
const KEPT = 'function class interface enum namespace module require import export'.split(' ');
const OPENING_A_TYPE = ['class', 'interface', 'enum', 'namespace', 'module'] as const;
const NAMING_A_TEST = ['describe', 'it', 'test', 'suite', 'context', 'specify', 'bench'] as const;

const KEPT_WORDS: ReadonlySet<string> = new Set(KEPT);
const TYPE_OPENERS: ReadonlySet<string> = new Set(OPENING_A_TYPE);
const TEST_WORDS: ReadonlySet<string> = new Set(NAMING_A_TEST);

const MAX_LENGTH = 15;

const shapeOf = (first: number, length: number) => (first << 4) | length;

/** For each first character and length, whether a word of the lists above has them. */
const SHAPES = new Uint8Array(128 << 4);
for (const word of [...KEPT, ...NAMING_A_TEST, 'type']) SHAPES[shapeOf(word.charCodeAt(0), word.length)] = 1;

/** Whether a word may be in the lists above, judged by its first character and length. Few other words pass. */
function mayMatter(first: number, length: number): boolean {
  return length <= MAX_LENGTH && first < 128 && SHAPES[shapeOf(first, length)] === 1;
}

/** Words after which a slash begins a regular expression. */
const BEFORE_REGEX = new Set(
  'return typeof case in of delete void instanceof new throw await yield else do'.split(' '),
);

/** 1 for characters of names and numbers. Everything outside ASCII counts as one. */
const WORD_CODES = Uint8Array.from({ length: 65_536 }, (_, code) =>
  code > 127 || /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The offset after the string at `at`; -1 when its line ends first. */
function stringEnd(codes: Uint16Array, at: number): number {
  const quote = codes[at]!;
  const length = codes.length;
  for (let here = at + 1; here < length; here++) {
    const code = codes[here]!;
    if (code === 92) here++;
    else if (code === 10) return -1;
    else if (code === quote) return here + 1;
  }
  return -1;
}

/** Whether a slash is a regular expression rather than a division, by the token before it. */
function mayStartRegex(last: number, lastWord: () => string): boolean {
  if (last === 97) return BEFORE_REGEX.has(lastWord());
  return !(last === 41 || last === 93 || last === 96 || last === 34 || last === 39);
}

/** The offset after the regular expression at `at`, without its flags; -1 when it is none. */
function regexEnd(codes: Uint16Array, at: number): number {
  let inClass = false;
  for (let here = at + 1; here < codes.length; here++) {
    const code = codes[here]!;
    if (code === 10) return -1;
    if (code === 92) here++;
    else if (code === 91) inClass = true;
    else if (code === 93) inClass = false;
    else if (code === 47 && !inClass) return here + 1;
  }
  return -1;
}
