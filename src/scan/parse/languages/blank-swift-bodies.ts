import { type BraceDialect, blankBraceBodies } from './blank-brace-bodies.ts';

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

const SWIFT: BraceDialect = {
  functionWords: new Set(['func', 'init', 'deinit']),
  otherWords: new Set([
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
  ]),
  variableWords: new Set(['var', 'let', 'case']),
  skip: (text, at, last) => {
    const hashes = text[at] === '#' ? (/^#+(?=")/.exec(text.slice(at, at + 8))?.[0].length ?? 0) : 0;
    if (text[at] === '"' || hashes > 0) return stringEnd(text, at + hashes, hashes);
    // a regular expression may hold any bracket or quote
    return text[at] === '/' && '=(,:['.includes(last || '=') ? -1 : 0;
  },
};

/** The grammar takes ten times as long as others, most of it in the bodies of functions. */
export function blankSwiftBodies(text: string): string {
  return blankBraceBodies(text, SWIFT);
}
