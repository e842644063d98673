import { isWordCode, mayStartRegex, regexEnd, stringEnd } from './script-lexing.ts';

/**
 * Most of a script is function bodies, and almost nothing in them is kept. This blanks those that hold no
 * definition, no import and no test, so that the parser builds a tree of what matters only. Offsets stay as they
 * are. Where the text does not add up, it is returned unchanged.
 */

const KEPT_WORDS = new Set([
  'function',
  'class',
  'interface',
  'enum',
  'namespace',
  'module',
  'require',
  'import',
  'export',
]);
const TYPE_OPENERS = new Set(['class', 'interface', 'enum', 'namespace', 'module']);
const TEST_WORDS = new Set(['describe', 'it', 'test', 'suite', 'context', 'specify', 'bench']);
/** Shorter bodies cost less to parse than to blank. */
const MIN_BODY = 24;

interface OpenBrace {
  /** Behind the brace. */
  readonly start: number;
  readonly isBody: boolean;
  readonly isTemplate: boolean;
  readonly parenDepth: number;
  hasKept: boolean;
  /** Blanked ranges so far when it was opened: a blanked body swallows those inside it. */
  readonly rangesBefore: number;
}

class BodyScanner {
  readonly ranges: [start: number, end: number][] = [];
  readonly #text: string;
  readonly #open: OpenBrace[] = [];
  #at = 0;
  #parenDepth = 0;
  /** Depths of parentheses at which a type's own brace is still to come, as in `class A extends (class {`. */
  readonly #typesPending: number[] = [];
  /** Code of the last character that is neither white space nor comment, and the last word if it ended one. */
  #last = 0;
  #lastWord = '';
  /** A parameter list has just been closed, and at most a return type has followed. */
  #afterParameters = false;
  #inReturnType = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** False when the text does not add up. */
  run(): boolean {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (code <= 32) this.#at++;
      else if (isWordCode(code)) this.#word();
      else if (!this.#punctuation(code)) return false;
    }
    return this.#open.length === 0;
  }

  #word(): void {
    const text = this.#text;
    const start = this.#at;
    while (this.#at < text.length && isWordCode(text.charCodeAt(this.#at))) this.#at++;
    const length = this.#at - start;
    // `a.require` is a property, `...require` is not
    const afterDot = this.#last === 46 && text.charCodeAt(start - 2) !== 46;
    this.#last = 97;
    this.#lastWord = '';
    if (!this.#inReturnType) this.#afterParameters = false;
    if (length < 2 || length > 10 || afterDot) return;
    const word = text.slice(start, this.#at);
    this.#lastWord = word;
    if (KEPT_WORDS.has(word)) this.#keep();
    else if (TEST_WORDS.has(word) && /^\s*[(.]/.test(text.slice(this.#at, this.#at + 8))) this.#keep();
    else if (word === 'type' && /^\s+[\w$]/.test(text.slice(this.#at, this.#at + 8))) this.#keep();
    if (TYPE_OPENERS.has(word) && this.#typesPending.at(-1) !== this.#parenDepth)
      this.#typesPending.push(this.#parenDepth);
  }

  #keep(): void {
    const top = this.#open.at(-1);
    if (top) top.hasKept = true;
  }

  #punctuation(code: number): boolean {
    const text = this.#text;
    const next = text.charCodeAt(this.#at + 1);
    if (code === 47 && next === 47) return this.#skipTo('\n', this.#at, text.length);
    if (code === 47 && next === 42) return this.#skipTo('*/', this.#at + 2, -1);
    if (code === 34 || code === 39) return this.#string(code);
    if (code === 96) return this.#template(this.#at + 1);
    if (code === 47 && mayStartRegex(this.#last, this.#lastWord) && this.#regex()) return true;
    this.#at++;
    if (code === 123) return this.#openBrace(false);
    if (code === 125) return this.#closeBrace();
    if (code === 40) this.#parenDepth++;
    else if (code === 41) this.#closeParenthesis();
    this.#followSignature(code, next);
    this.#last = code;
    this.#lastWord = '';
    if (code === 61 && next === 62) {
      this.#at++;
      this.#last = ARROW;
    }
    return this.#parenDepth >= 0;
  }

  #closeParenthesis(): void {
    if (this.#typesPending.at(-1) === this.#parenDepth) this.#typesPending.pop();
    this.#parenDepth--;
  }

  /** Tells `) {` and `): Promise<void> {` from every other brace. */
  #followSignature(code: number, next: number): void {
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

  #openBrace(isTemplate: boolean): boolean {
    const isType = this.#typesPending.at(-1) === this.#parenDepth;
    if (isType) this.#typesPending.pop();
    const isTypeLiteral = this.#inReturnType && TYPE_LITERAL_BEFORE.has(this.#last);
    const isBody =
      !isTemplate && !isType && !isTypeLiteral && (this.#last === ARROW || this.#afterParameters);
    this.#open.push({
      start: this.#at,
      isBody,
      isTemplate,
      parenDepth: this.#parenDepth,
      hasKept: false,
      rangesBefore: this.ranges.length,
    });
    if (!isTypeLiteral) this.#inReturnType = false;
    this.#afterParameters = isTypeLiteral;
    this.#last = 123;
    this.#lastWord = '';
    return true;
  }

  #closeBrace(): boolean {
    const brace = this.#open.pop();
    if (!brace || brace.parenDepth !== this.#parenDepth) return false;
    const end = this.#at - 1;
    if (brace.hasKept) this.#keep();
    else if (brace.isBody && end - brace.start >= MIN_BODY) {
      this.ranges.length = brace.rangesBefore;
      this.ranges.push([brace.start, end]);
    }
    this.#last = 125;
    this.#lastWord = '';
    return brace.isTemplate ? this.#template(this.#at) : true;
  }

  #skipTo(close: string, from: number, otherwise: number): boolean {
    const found = this.#text.indexOf(close, from);
    const end = found === -1 ? otherwise : found + close.length;
    if (end === -1) return false;
    this.#at = end;
    return true;
  }

  #string(quote: number): boolean {
    this.#at = stringEnd(this.#text, this.#at);
    this.#last = quote;
    this.#lastWord = '';
    if (!this.#inReturnType) this.#afterParameters = false;
    return this.#at !== -1;
  }

  /** The text of a template, from behind its backtick or behind the `}` of a part of code inside. */
  #template(from: number): boolean {
    const text = this.#text;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === 96) {
        this.#at = at + 1;
        this.#last = 96;
        return true;
      } else if (code === 36 && text.charCodeAt(at + 1) === 123) {
        this.#at = at + 2;
        return this.#openBrace(true);
      }
    }
    return false;
  }

  #regex(): boolean {
    const end = regexEnd(this.#text, this.#at);
    if (end === -1) return false;
    this.#at = end;
    this.#last = 93;
    return true;
  }
}

/** Stands for `=>`. */
const ARROW = -1;
/** `: { a: string }`, `| { … }`, `& { … }`, `<{ … }`, `, { … }`, `( { … }`: an object type, not a body. */
const TYPE_LITERAL_BEFORE = new Set([58, 124, 38, 60, 44, 40]);

export function blankScriptBodies(text: string): string {
  const scanner = new BodyScanner(text);
  if (!scanner.run() || scanner.ranges.length === 0) return text;
  let blanked = '';
  let at = 0;
  for (const [start, end] of scanner.ranges) {
    blanked += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return blanked + text.slice(at);
}
