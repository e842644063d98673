import { type BraceDialect, blankBraceBodies } from './blank-brace-bodies.ts';

/** Behind the string at `at`; -1 when it stays open. */
function stringEnd(text: string, at: number): number {
  const quotes = text.startsWith('"""', at) ? '"""' : '"';
  for (let here = at + quotes.length; here < text.length; here++) {
    const character = text[here];
    if (character === '"' && text.startsWith(quotes, here)) {
      // `""""` ends in a quote of its own
      while (quotes === '"""' && text[here + 3] === '"') here++;
      return here + quotes.length;
    }
    if (character === '\\' && quotes === '"') here++;
    else if (character === '\n' && quotes === '"') return -1;
    else if (character === '$' && text[here + 1] === '{') {
      here = interpolationEnd(text, here + 1) - 1;
      if (here < 0) return -1;
    }
  }
  return -1;
}

/** Behind the brace that closes the one at `at`. */
function interpolationEnd(text: string, at: number): number {
  let depth = 0;
  for (let here = at; here < text.length; here++) {
    const character = text[here];
    if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return here + 1;
    else if (character === '"') {
      here = stringEnd(text, here) - 1;
      if (here < 0) return -1;
    }
  }
  return -1;
}

const CHARACTER = /'(?:[^'\\\n]|\\.[^'\n]{0,4})'/y;
const QUOTED_NAME = /`[^`\n]+`/y;

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

const KOTLIN: BraceDialect = {
  functionWords: new Set(['fun']),
  otherWords: new Set(['class', 'interface', 'object', 'typealias', 'import', 'constructor', 'init']),
  variableWords: new Set(['val', 'var']),
  skip: (text, at) => {
    if (text[at] === '"') return stringEnd(text, at);
    if (text[at] === "'") return matchEnd(CHARACTER, text, at);
    return text[at] === '`' ? matchEnd(QUOTED_NAME, text, at) : 0;
  },
};

/** One expression that the grammar cannot read costs the class around it and all that follows. */
export function blankKotlinBodies(text: string): string {
  return blankBraceBodies(text, KOTLIN);
}
