import { TemplateError, type TemplatePlace } from './template-error.ts';

export type Token =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly value: number }
  | { readonly kind: 'string'; readonly text: string; readonly value: string }
  | { readonly kind: 'mark'; readonly text: string };

export interface LexedExpression {
  readonly tokens: readonly Token[];
  /** Behind the closing mark. */
  readonly end: number;
  /** A minus before the closing mark: white space behind it goes. */
  readonly trimsAfter: boolean;
}

const SPACE = /\s*/y;
const CLOSE = { '}}': /(-?)\}\}/y, '%}': /([-+]?)%\}/y };
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /\d+(?:\.\d+)?/y;
const STRING = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'/y;
const MARK = /[=!<>]=|[<>|.,()[\]~=:]/y;

/** The tokens from `start` up to the closing mark, which may stand in a string without meaning anything. */
export function lexExpression(
  source: string,
  start: number,
  close: '}}' | '%}',
  place: TemplatePlace,
): LexedExpression {
  const tokens: Token[] = [];
  let at = start;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) at += match[0].length;
    return match;
  };
  for (;;) {
    take(SPACE);
    const end = take(CLOSE[close]);
    if (end) return { tokens, end: at, trimsAfter: end[1] === '-' };
    const name = take(NAME)?.[0];
    const number = name ? undefined : take(NUMBER)?.[0];
    const string = name || number ? undefined : take(STRING)?.[0];
    const mark = name || number || string ? undefined : take(MARK)?.[0];
    if (name) tokens.push({ kind: 'name', text: name });
    else if (number) tokens.push({ kind: 'number', text: number, value: Number(number) });
    else if (string) tokens.push({ kind: 'string', text: string, value: unescaped(string.slice(1, -1)) });
    else if (mark) tokens.push({ kind: 'mark', text: mark });
    else {
      const next = source[at];
      const what =
        next === undefined ? `"${close}" is missing` : `${JSON.stringify(next)} is not allowed here`;
      throw new TemplateError('template-syntax', what, place);
    }
  }
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, character: string) => {
    if (character === 'n') return '\n';
    return character === 't' ? '\t' : character;
  });
}
