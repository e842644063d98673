import { isFileName, isFolderName, isMemberLike, isWholeName } from './file-names.ts';
import type { Passage } from './read-passages.ts';
import { isWordUnit } from './word-runs.ts';

// Finds paths in a passage and tells them from dates, versions, fractions and calls. Nothing is looked up.

/** A line number after a name: `, line 42`, ` on line 42`, `" line 42`. */
const LINE_BEHIND = /["'`)\]*]{0,4}[,:]? {0,3}(?:(?:on|at|in|near|around) )?lines? {1,2}#?(\d{1,7})/iy;

const QUOTES = '"\'`“”‘’«»';

const DELIMITER = 1;
const MARK = 2;

/** Characters that end a token, and characters that mark it as a possible path. */
const kinds = new Uint8Array(65_536);
kinds.fill(DELIMITER, 0, 33);
for (const character of `${QUOTES},;<>|\u00a0\u3000，。；：、（）！？「」『』【】《》`)
  kinds[character.charCodeAt(0)] = DELIMITER;
for (const character of './\\') kinds[character.charCodeAt(0)] = MARK;

/** In characters, of one token. */
const MAX_WRITTEN = 600;

/** The paths in a passage, in order. `read` is `readPathToken` or a version of it that remembers. */
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
    if (at - start < 3 || at - start > MAX_WRITTEN) continue;
    const written = text.slice(start, at);
    if (!isMarked && !isWholeName(trimToken(written))) continue;
    // "net/http: keep the header" begins with its place.
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

/** Paths with spaces. Only quotes can show where such a path begins and ends. */
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

/** Splits a token at brackets, unless they are part of folder names: `app/(shop)/[id]/page.tsx`. */
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

/** A path as the task writes it, with forward slashes. */
export interface PathToken {
  readonly path: string;
  /** Null when the task gives none. */
  readonly line: number | null;
}

/** The characters around a token in its text. */
interface TokenSetting {
  /** Between quotes or backticks. There even `a/b` is a path. */
  readonly isQuoted: boolean;
  /** In code or a trace. There `x.json` is a member. */
  readonly isCode: boolean;
}

const LINE = /(?::{1,2}|#L|\()(\d{1,7})(?![\w.])/;
const NODE_ID = /^([^:]{1,300}\.\w{1,8})::?(?=[A-Za-z_])/;
const CODE_HOST = /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|gitee\.com)$/i;
const DOMAIN =
  /^(?:[a-z0-9-]{1,60}\.){1,4}(?:com|org|net|io|dev|co|edu|gov|in|app|ai|de|fr|uk|cn|jp|me|info)$/i;

const MAX_TOKEN = 400;

/** Reads a token (without spaces) as the path of a file or folder, or returns null. Nothing is looked up. */
export function readPathToken(token: string, setting: TokenSetting): PathToken | null {
  if (token.length < 3 || token.length > MAX_TOKEN) return null;
  if (!token.includes('/') && !token.includes('\\')) return readBareName(token, setting);
  const hasDrive = token[1] === ':' && /^[A-Za-z]:[\\/]/.test(token);
  const isWindows = token.includes('\\');
  const { text, line } = takeLine(forwardSlashes(hasDrive ? token.slice(2) : token));
  if (/[#@]\d+$/.test(text) && !text.includes('.')) return null;
  const written = pathSegments(text);
  const segments = withoutHost(written, setting);
  if (segments.length === 0 || !segments.every(isSegment)) return null;
  const isPath = isWindows
    ? (hasDrive && segments.length > 1) || isFileName(segments.at(-1)!)
    : isWrittenPath(text, segments, setting.isQuoted || segments.length < written.length);
  return isPath ? { path: segments.join('/'), line } : null;
}

function readBareName(token: string, { isQuoted, isCode }: TokenSetting): PathToken | null {
  const { text, line } = takeLine(token);
  if (!isFileName(text) || !isSegment(text)) return null;
  // `c.json(200)` calls a method
  const isNumbered = line !== null && !token.includes('(');
  if (isMemberLike(text) && !isQuoted && !isNumbered && (isCode || text.length < 4)) return null;
  return text.includes('@') ? null : { path: text, line };
}

function forwardSlashes(text: string): string {
  return text.includes('\\') ? text.replace(/\\+/g, '/') : text;
}

/** Removes a line number (`:42`, `#L42`, `(42`) or the name of a test (`::test_name`) from the end. */
function takeLine(token: string): { text: string; line: number | null } {
  // Bundlers put a hash after the name: "a.js?c639:626:1".
  const bare = token.includes('?') ? token.replace(/(\.\w{1,8})\?[\w=&]{0,40}/, '$1') : token;
  const numbered = /[:#(]/.test(bare) ? LINE.exec(bare) : null;
  if (numbered && numbered.index > 0) {
    return { text: trimToken(bare.slice(0, numbered.index)), line: Number(numbered[1]) || null };
  }
  return { text: trimToken(NODE_ID.exec(bare)?.[1] ?? bare), line: null };
}

/**
 * Removes a host from the front. `github.com/owner/name/parse` is the folder `parse` of its repository. With other hosts
 * it is a package in an import, and a web page everywhere else.
 */
function withoutHost(segments: readonly string[], { isQuoted, isCode }: TokenSetting): readonly string[] {
  const host = segments[0] ?? '';
  if (CODE_HOST.test(host))
    return /^(?:blob|tree|raw)$/.test(segments[3] ?? '') ? segments.slice(5) : segments.slice(3);
  if (segments.length < 2 || !DOMAIN.test(host)) return segments;
  return isQuoted && isCode ? segments.slice(1) : [];
}

const NOT_FOLDERS =
  /^(?:and|or|not|und|oder|et|ou|y|o|he|she|his|her|him|w|n|yes|no|true|false|on|off|s|a)$/i;
const DATE = /^\d{1,2}\/[A-Z][a-z]{2}\/\d{4}$/;
const MEDIA_TYPE = /^(?:application|text|image|audio|video|font|multipart|message)$/;

/** Whether a text can be a file name: letters, digits, some punctuation, and brackets in pairs such as `[id]`. */
function isSegment(segment: string): boolean {
  let open = '';
  for (let at = 0; at < segment.length; at++) {
    const character = segment[at]!;
    if (isWordUnit(segment.charCodeAt(at)) || '.@+~$%=&!#,-'.includes(character)) continue;
    if (open === '' && '[({'.includes(character)) open = character;
    else if (open === '[' && character === '[') continue;
    else if (open !== '' && character === { '[': ']', '(': ')', '{': '}' }[open]) {
      if (segment[at + 1] !== character) open = '';
    } else return false;
  }
  return segment !== '' && open === '';
}

/** The folders and the name of a path. Segments from the first wildcard on are dropped. */
function pathSegments(path: string): string[] {
  let segments = path.split('/').filter((segment) => !/^(?:|\.|\.\.|~)$/.test(segment));
  // ".../parse/read.ts" leaves out the beginning.
  if (/^(?:\.{3}|…)$/.test(segments[0] ?? '')) segments = segments.slice(1);
  // A patch has "a/src/x.ts" and "b/src/x.ts".
  if (/^[ab]$/.test(segments[0] ?? '') && segments.length > 1 && isFileName(segments.at(-1)!)) {
    segments = segments.slice(1);
  }
  const pattern = segments.findIndex((segment) => /[*{}]|^(?:\.{3}|…)$/.test(segment));
  return pattern === -1 ? segments : segments.slice(0, pattern);
}

/** Whether words with slashes are a path, and not `and/or`, `1/2` or `text/html`. */
function isWrittenPath(raw: string, segments: readonly string[], isQuoted: boolean): boolean {
  if (!segments.some((segment) => /[^\d.\-x*~^]/i.test(segment)) || DATE.test(segments.join('/')))
    return false;
  if (isFileName(segments.at(-1)!)) return true;
  if (segments.length === 2 && MEDIA_TYPE.test(segments[0]!)) return false;
  if (segments.some((segment) => NOT_FOLDERS.test(segment))) return false;
  if (/^(?:\.{1,2}|~)?\//.test(raw)) return segments.length > 1;
  if (segments.length === 1) return raw.endsWith('/') && (isQuoted || isFolderName(segments[0]!));
  if (segments.length > 2 || raw.endsWith('/') || isQuoted) {
    return segments.some((segment) => segment.length > 1);
  }
  return isFolderName(segments[0]!) || /[_.]/.test(segments.join(''));
}

const AHEAD = '*_([{<,;:!?=|~&%"\'`';
const BEHIND = '*.,;:!?)]}>|=&"\'`\\';

/** Removes punctuation, marks and unpaired brackets from both ends. */
function trimToken(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && AHEAD.includes(token[start]!) && !opensName(token, start)) start++;
  while (end > start && BEHIND.includes(token[end - 1]!) && !closesName(token, start, end)) end--;
  return token.slice(start, end);
}

/** Whether the character belongs to the name: `_private.py`, `~/notes.md`, `(shop)/page.tsx`, `[id].tsx`. */
function opensName(token: string, at: number): boolean {
  if (token[at] === '_') return true;
  if (token[at] === '~') return token[at + 1] === '/';
  if (token[at] !== '[' && token[at] !== '(') return false;
  const close = token[at] === '[' ? ']' : ')';
  const end = token.slice(at, at + 60).indexOf(close);
  const behind = token[at + end + 1];
  return end !== -1 && (behind === '/' || (close === ']' && behind === '.'));
}

/** The same for the end of a name: `app/[id]`. */
function closesName(token: string, start: number, end: number): boolean {
  if (token[end - 1] !== ']' && token[end - 1] !== ')') return false;
  const tail = token.slice(Math.max(start, end - 60), end);
  const at = tail.lastIndexOf(token[end - 1] === ']' ? '[' : '(');
  return at > 0 && tail[at - 1] === '/';
}
