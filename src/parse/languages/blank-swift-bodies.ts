/**
 * The Swift grammar takes ten times as long as others, most of it in the bodies of functions, where nothing is kept
 * but definitions. This blanks the bodies that hold none; offsets stay as they are. Where the text does not add up,
 * it is returned unchanged.
 */

const FUNCTION_WORDS = new Set(['func', 'init', 'deinit']);

/** What they begin has to be seen, and ends a function that has no body. */
const OTHER_WORDS = new Set([
  'class',
  'struct',
  'enum',
  'protocol',
  'extension',
  'actor',
  'import',
  'macro',
  'subscript',
  'typealias',
  'associatedtype',
]);
const VARIABLE_WORDS = new Set(['var', 'let', 'case']);

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

/** Behind the string whose quotes begin at `at`, with `hashes` marks in front; -1 when it stays open. */
function stringEnd(text: string, at: number, hashes: number): number {
  const quotes = text.startsWith('"""', at) ? '"""' : '"';
  const close = quotes + '#'.repeat(hashes);
  const escaping = `\\${'#'.repeat(hashes)}`;
  for (let here = at + quotes.length; here < text.length; ) {
    if (text.startsWith(close, here)) return here + close.length;
    if (text.startsWith(escaping, here)) {
      here += escaping.length;
      here = text[here] === '(' ? interpolationEnd(text, here) : here + 1;
      if (here === -1) return -1;
    } else if (text[here] === '\n' && quotes === '"') return -1;
    else here++;
  }
  return -1;
}

/** Behind the parenthesis that closes the one at `at`. */
function interpolationEnd(text: string, at: number): number {
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    const character = text[here];
    if (character === '(') depth++;
    else if (character === ')' && --depth === 0) return here + 1;
    else if (character === '"') {
      here = stringEnd(text, here, 0) - 1;
      if (here < 0) return -1;
    }
  }
  return -1;
}

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

/** Bodies that may be blanked, in order; null when the text does not add up. */
function findBodies(text: string): readonly (readonly [start: number, end: number])[] | null {
  const ranges: (readonly [number, number])[] = [];
  const open: OpenBrace[] = [];
  let parenDepth = 0;
  /** Depth of parentheses at which the body of a function is still to come. */
  let pending = -1;
  let last = '';
  const keep = () => {
    const top = open.at(-1);
    if (top) top.hasKept = true;
  };
  let at = 0;
  while (at < text.length) {
    const character = text[at]!;
    if (character <= ' ') {
      at++;
      continue;
    }
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word) {
      if (last !== '.' && FUNCTION_WORDS.has(word)) {
        keep();
        pending = parenDepth;
      } else if (last !== '.' && OTHER_WORDS.has(word)) {
        keep();
        pending = -1;
      } else if (VARIABLE_WORDS.has(word) && pending === parenDepth) pending = -1;
      at += word.length;
      last = 'a';
      continue;
    }
    if (text.startsWith('//', at)) {
      const lineEnd = text.indexOf('\n', at);
      at = lineEnd === -1 ? text.length : lineEnd;
      continue;
    }
    const hashes = character === '#' ? /^#+(?=")/.exec(text.slice(at, at + 8))?.[0].length : undefined;
    if (text.startsWith('/*', at)) at = commentEnd(text, at);
    else if (character === '"' || hashes) at = stringEnd(text, at + (hashes ?? 0), hashes ?? 0);
    // a regular expression may hold any bracket or quote
    else if (character === '/' && '=(,:['.includes(last || '=')) return null;
    else {
      if (character === '(') parenDepth++;
      else if (character === ')') parenDepth--;
      else if (character === '{') {
        const isBody = pending === parenDepth;
        if (isBody) pending = -1;
        open.push({ start: at + 1, isBody, parenDepth, hasKept: false, rangesBefore: ranges.length });
      } else if (character === '}') {
        const brace = open.pop();
        if (!brace || brace.parenDepth !== parenDepth) return null;
        if (brace.hasKept) keep();
        else if (brace.isBody && at - brace.start >= MIN_BODY) {
          ranges.length = brace.rangesBefore;
          ranges.push([brace.start, at]);
        }
        pending = -1;
      }
      at++;
    }
    if (at === -1 || parenDepth < 0) return null;
    last = character;
  }
  return open.length === 0 ? ranges : null;
}

export function blankSwiftBodies(text: string): string {
  let blanked = '';
  let copied = 0;
  for (const [start, end] of findBodies(text) ?? []) {
    blanked += text.slice(copied, start) + ' '.repeat(end - start);
    copied = end;
  }
  return blanked + text.slice(copied);
}
