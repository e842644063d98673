/** What has to be known of a language to find the bodies of its functions. */
export interface BraceDialect {
  /** What they begin may have a body. */
  readonly functionWords: ReadonlySet<string>;
  /** What they begin has to be seen, and ends a function that has no body. */
  readonly otherWords: ReadonlySet<string>;
  readonly variableWords: ReadonlySet<string>;
  /** Behind the string or the like at `at`; 0 when there is none, -1 when it stays open or cannot be told. */
  readonly skip: (text: string, at: number, last: string) => number;
}

/** Shorter bodies cost less to parse than to blank. */
const MIN_BODY = 24;

interface OpenBrace {
  /** Behind the brace. */
  readonly start: number;
  readonly isBody: boolean;
  readonly parenDepth: number;
  hasKept: boolean;
  /** Blanked ranges so far when it was opened: a blanked body swallows those inside it. */
  readonly rangesBefore: number;
}

const WORD = /[\p{L}\p{N}_$]+/uy;

/** Comments nest. */
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

class BodyFinder {
  readonly ranges: (readonly [start: number, end: number])[] = [];
  readonly #open: OpenBrace[] = [];
  readonly #dialect: BraceDialect;
  #parenDepth = 0;
  /** Depth of parentheses at which the body of a function is still to come. */
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

  /** False when the text does not add up. */
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
        // a member or a reference is not the keyword that it is called like
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
 * Blanks the bodies of functions that hold no definition: nothing in them is kept, and some grammars take very long
 * for them or lose their way. Offsets stay as they are. Where the text does not add up, it is returned unchanged.
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
