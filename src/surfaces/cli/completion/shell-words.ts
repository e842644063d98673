/**
 * Words as shells write them. An unfinished line is split by the rules of quoting alone; variables, commands and
 * patterns in it are not evaluated. A word for the line is quoted so that the shell reads it literally.
 */

/** The word at the end of a line. */
export interface LastWord {
  /** As it was typed, quotes included. */
  readonly raw: string;
  /** The quote that is still open at its end; `$'` is one of them. */
  readonly quote: '' | '"' | "'" | "$'";
}

/** A line of bash up to the cursor. */
export interface SplitLine {
  /** Without quotes. The last one may be empty. */
  readonly words: readonly string[];
  readonly last: LastWord;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', e: '\u001b' };

/** Splits a line at blanks that are not quoted. */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let word = '';
  let start = 0;
  let quote: LastWord['quote'] = '';
  for (let at = 0; at < line.length; at += 1) {
    const unit = line[at]!;
    const next = line[at + 1] ?? '';
    if (quote === '' && /\s/.test(unit)) {
      // Blanks after blanks, and at the start, separate nothing.
      if (at > start) words.push(word);
      word = '';
      start = at + 1;
    } else if (quote === '' && (unit === '"' || unit === "'")) quote = unit;
    else if (quote === '' && unit === '$' && next === "'") {
      quote = "$'";
      at += 1;
    } else if (quote !== '' && unit === quote.at(-1)) quote = '';
    else if (unit === '\\' && quote !== "'") {
      at += 1;
      if (quote === '"' && !'"\\$`'.includes(next)) word += `\\${next}`;
      else word += quote === "$'" ? (ESCAPES[next] ?? next) : next;
    } else word += unit;
  }
  return { words: [...words, word], last: { raw: line.slice(start), quote } };
}

/** Characters that mean nothing to bash, wherever they stand in a word. */
const PLAIN = /^[\p{L}\p{N}_@%+:,./-][\p{L}\p{N}_@%+=:,./-]*$/u;
const SPECIAL = /[^\p{L}\p{N}_@%+=:,./-]/gu;

/**
 * The text that bash must put in place of `replaced`, so that the word at the end of the line becomes `value`. bash
 * replaces only the part after a colon, an equals sign or an open quote. Null when the open quotes do not allow it.
 */
export function quoteForBash(value: string, { raw, quote }: LastWord, replaced: string): string | null {
  const kept = raw.endsWith(replaced) ? raw.slice(0, raw.length - replaced.length) : '';
  const whole = quoted(value, quote);
  return whole?.startsWith(kept) ? whole.slice(kept.length) : null;
}

function quoted(value: string, quote: LastWord['quote']): string | null {
  switch (quote) {
    case "'":
      return `'${value.replaceAll("'", "'\\''")}`;
    case '"':
      // An interactive shell expands ! inside these quotes too, and it cannot be escaped there.
      return value.includes('!') ? null : `"${value.replace(/["\\$`]/g, '\\$&')}`;
    case "$'":
      return `$'${escaped(value)}`;
    case '':
      if (PLAIN.test(value)) return value;
      // A backslash before a line end would remove it.
      return value.includes('\n') ? `$'${escaped(value)}'` : value.replace(SPECIAL, '\\$&');
  }
}

const escaped = (value: string): string => value.replace(/['\\!]/g, '\\$&').replaceAll('\n', '\\n');

/** A word of fish as it was typed, without its quotes. */
export function fishWord(raw: string): string {
  let word = '';
  let quote = '';
  for (let at = 0; at < raw.length; at += 1) {
    const unit = raw[at]!;
    const next = raw[at + 1] ?? '';
    if (unit === '\\' && (quote === '' || next === quote || next === '\\')) {
      word += quote === '' ? (ESCAPES[next] ?? next) : next;
      at += 1;
    } else if (quote === '' && (unit === '"' || unit === "'")) quote = unit;
    else if (unit === quote) quote = '';
    else word += unit;
  }
  return word;
}
