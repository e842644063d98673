// Blanks function bodies in languages with braces, before a slow or fragile grammar reads the text. Kotlin and Swift
// use it.

/** The differences between languages that matter for finding the bodies of functions. */
export interface BraceDialect {
  /** Words that begin a function, which may have a body. */
  readonly functionWords: ReadonlySet<string>;
  /** Words that begin other definitions. These must stay visible, and end a function without a body. */
  readonly otherWords: ReadonlySet<string>;
  /** Words that begin a variable, which also end a function without a body. */
  readonly variableWords: ReadonlySet<string>;
  /** The offset after the string or the like at `at`; 0 when there is none, -1 when it stays open or is unclear. */
  readonly skip: (text: string, at: number, last: string) => number;
}

/** Characters. Shorter bodies cost less to parse than to blank. */
const MIN_BODY = 24;

interface OpenBrace {
  /** Offset after the brace. */
  readonly start: number;
  readonly isBody: boolean;
  readonly parenDepth: number;
  hasKept: boolean;
  /** The number of blanked ranges before it. When its whole content is blanked, later ones are dropped. */
  readonly rangesBefore: number;
}

const WORD = /[\p{L}\p{N}_$]+/uy;

/** The end of a block comment. In these languages comments nest. */
function commentEnd(text: string, at: number): number {
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    if (text.startsWith('/*', here)) depth++;
    else if (text.startsWith('*/', here) && --depth === 0) return here + 2;
    else continue;
    here++;
  }
  return -1;
}

function skipComment(text: string, at: number): number {
  if (text[at] !== '/') return 0;
  if (text[at + 1] === '*') return commentEnd(text, at);
  if (text[at + 1] !== '/') return 0;
  const lineEnd = text.indexOf('\n', at);
  return lineEnd === -1 ? text.length : lineEnd;
}

/** Reads a text once and collects the bodies without definitions. */
class BodyFinder {
  readonly ranges: (readonly [start: number, end: number])[] = [];
  readonly #open: OpenBrace[] = [];
  readonly #dialect: BraceDialect;
  #parenDepth = 0;
  /** The depth of parentheses at which the body of a function is expected; -1 when none is. */
  #pending = -1;

  constructor(dialect: BraceDialect) {
    this.#dialect = dialect;
  }

  #keep(): void {
    const top = this.#open.at(-1);
    if (top) top.hasKept = true;
  }

  #word(word: string): void {
    const { functionWords, otherWords, variableWords } = this.#dialect;
    if (functionWords.has(word)) {
      this.#keep();
      this.#pending = this.#parenDepth;
    } else if (otherWords.has(word)) {
      this.#keep();
      this.#pending = -1;
    } else if (variableWords.has(word) && this.#pending === this.#parenDepth) this.#pending = -1;
  }

  /** False when brackets do not match. */
  #bracket(character: string, at: number): boolean {
    if (character === '(') this.#parenDepth++;
    else if (character === ')') this.#parenDepth--;
    else if (character === '{') {
      const isBody = this.#pending === this.#parenDepth;
      if (isBody) this.#pending = -1;
      const rangesBefore = this.ranges.length;
      this.#open.push({ start: at + 1, isBody, parenDepth: this.#parenDepth, hasKept: false, rangesBefore });
    } else if (character === '}') return this.#close(at);
    return this.#parenDepth >= 0;
  }

  #close(at: number): boolean {
    const brace = this.#open.pop();
    if (!brace || brace.parenDepth !== this.#parenDepth) return false;
    if (brace.hasKept) this.#keep();
    else if (brace.isBody && at - brace.start >= MIN_BODY) {
      this.ranges.length = brace.rangesBefore;
      this.ranges.push([brace.start, at]);
    }
    this.#pending = -1;
    return true;
  }

  run(text: string): boolean {
    let last = '';
    for (let at = 0; at < text.length; ) {
      const character = text[at]!;
      WORD.lastIndex = at;
      const word = character > ' ' ? WORD.exec(text)?.[0] : undefined;
      const skipped = word ? 0 : skipComment(text, at) || this.#dialect.skip(text, at, last);
      if (skipped < 0) return false;
      if (word) {
        // A member such as `.class` or a reference such as `::class` is not the keyword.
        if (last !== '.' && text.slice(at - 2, at) !== '::') this.#word(word);
        last = 'a';
        at += word.length;
      } else if (skipped > 0) {
        if (character !== '/') last = character;
        at = skipped;
      } else {
        if (!this.#bracket(character, at)) return false;
        if (character > ' ') last = character;
        at++;
      }
    }
    return this.#open.length === 0;
  }
}

/**
 * Blanks the bodies of functions that hold no definition. Nothing in them is kept, and some grammars are very slow on
 * them or get lost. Offsets stay the same. A text whose brackets do not match is returned unchanged.
 */
export function blankBraceBodies(text: string, dialect: BraceDialect): string {
  const finder = new BodyFinder(dialect);
  if (!finder.run(text)) return text;
  let blanked = '';
  let copied = 0;
  for (const [start, end] of finder.ranges) {
    blanked += text.slice(copied, start) + ' '.repeat(end - start);
    copied = end;
  }
  return blanked + text.slice(copied);
}
