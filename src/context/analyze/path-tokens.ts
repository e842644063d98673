import { isFileName, isWholeName } from './file-names.ts';
import type { Passage } from './passage.ts';
import type { PathToken, readPathToken } from './path-token.ts';
import { trimToken } from './trim-token.ts';
import { isWordUnit } from './word-runs.ts';

/** Behind a name: `, line 42`, ` on line 42`, `" line 42`. */
const LINE_BEHIND = /["'`)\]*]{0,4}[,:]? {0,3}(?:(?:on|at|in|near|around) )?lines? {1,2}#?(\d{1,7})/iy;

const QUOTES = '"\'`“”‘’«»';

const DELIMITER = 1;
const MARK = 2;

/** What ends a token, and what a path has that most words do not. */
const kinds = new Uint8Array(65_536);
kinds.fill(DELIMITER, 0, 33);
for (const character of `${QUOTES},;<>|\u00a0\u3000，。；：、（）！？「」『』【】《》`)
  kinds[character.charCodeAt(0)] = DELIMITER;
for (const character of './\\') kinds[character.charCodeAt(0)] = MARK;

const MAX_TOKEN = 600;

/** The paths in a passage, in order. */
export function pathTokens({ text, zone }: Passage, read: typeof readPathToken): PathToken[] {
  const isCode = zone === 'code' || zone === 'trace';
  const found = quotedPaths(text);
  let at = 0;
  while (at < text.length) {
    while (at < text.length && kinds[text.charCodeAt(at)] === DELIMITER) at++;
    const start = at;
    let isMarked = false;
    for (; at < text.length; at++) {
      const kind = kinds[text.charCodeAt(at)];
      if (kind === DELIMITER) break;
      isMarked ||= kind === MARK;
    }
    if (at - start < 3 || at - start > MAX_TOKEN) continue;
    const written = text.slice(start, at);
    if (!isMarked && !isWholeName(trimToken(written))) continue;
    // "net/http: keep the header" names its place first
    const isScope = zone === 'title' && start === 0 && written.endsWith(':');
    const isQuoted = isScope || (isQuote(text, start - 1) && isQuote(text, at));
    for (const piece of pieces(written)) {
      const isCall = isCode && text[start + piece.end] === '(';
      const token = isCall ? null : read(piece.text, { isQuoted, isCode });
      if (token) found.push(token.line === null ? { ...token, line: lineBehind(text, at) } : token);
    }
  }
  return found;
}

function isQuote(text: string, at: number): boolean {
  return at >= 0 && at < text.length && QUOTES.includes(text[at]!);
}

const MAX_QUOTED = 300;

/** Only quotes can hold a path with spaces together. */
function quotedPaths(text: string): PathToken[] {
  const found: PathToken[] = [];
  if (!text.includes('.')) return found;
  for (const quote of ['"', "'", '`']) {
    const parts = text.split(quote);
    for (let at = 1; at + 1 < parts.length; at++) {
      const part = parts[at]!;
      if (part.length > MAX_QUOTED || !part.includes(' ') || !part.includes('.')) continue;
      const path = part.replace(/\\+/g, '/').replace(/^(?:[A-Za-z]:)?(?:\.{0,2}\/)*/, '');
      const slash = path.lastIndexOf('/');
      if (slash > 0 && isFileName(path.slice(slash + 1)) && isNamesAndSpaces(path))
        found.push({ path, line: null });
    }
  }
  return found;
}

function isNamesAndSpaces(path: string): boolean {
  if (path.includes('. ')) return false;
  for (let at = 0; at < path.length; at++) {
    if (!isWordUnit(path.charCodeAt(at)) && !'.@+ /()-'.includes(path[at]!)) return false;
  }
  return true;
}

function lineBehind(text: string, at: number): number | null {
  LINE_BEHIND.lastIndex = at;
  const line = LINE_BEHIND.exec(text);
  return line ? Number(line[1]) || null : null;
}

/** Brackets part a token, except where they are names of folders: `app/(shop)/[id]/page.tsx`. */
function pieces(token: string): { text: string; end: number }[] {
  const whole = trimToken(token);
  if (whole.length < 3) return [];
  const offset = token.indexOf(whole);
  const isFolders = /[/\\][([{]|^\[[\w.]{1,60}\]\./.test(whole) && !whole.includes('](');
  if (isFolders || !/[()[\]{}=&]/.test(whole) || /^[^()[\]{}=]+\(\d{1,7}$/.test(whole)) {
    return [{ text: whole, end: offset + whole.length }];
  }
  const found: { text: string; end: number }[] = [];
  let start = 0;
  for (let at = 0; at <= whole.length; at++) {
    if (at < whole.length && !'()[]{}=&'.includes(whole[at]!)) continue;
    const text = trimToken(whole.slice(start, at));
    if (text.length > 2) found.push({ text, end: offset + at });
    start = at + 1;
  }
  return found;
}
