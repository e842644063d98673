import { isFileName, isFolderName, isMemberLike } from './file-names.ts';
import { trimToken } from './trim-token.ts';
import { isWordUnit } from './word-runs.ts';

export interface PathToken {
  readonly path: string;
  readonly line: number | null;
}

/** How a token stands in its text. */
interface TokenSetting {
  /** Between quotes or backticks, which make even `a/b` a path. */
  readonly isQuoted: boolean;
  /** In code or a trace, where `x.json` is a member. */
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

/** Takes `:42`, `#L42`, `(42` and `::test_name` off. */
function takeLine(token: string): { text: string; line: number | null } {
  // bundlers put a hash behind the name: "a.js?c639:626:1"
  const bare = token.includes('?') ? token.replace(/(\.\w{1,8})\?[\w=&]{0,40}/, '$1') : token;
  const numbered = /[:#(]/.test(bare) ? LINE.exec(bare) : null;
  if (numbered && numbered.index > 0) {
    return { text: trimToken(bare.slice(0, numbered.index)), line: Number(numbered[1]) || null };
  }
  return { text: trimToken(NODE_ID.exec(bare)?.[1] ?? bare), line: null };
}

/**
 * `github.com/owner/name/parse` is a package of its repository. Other hosts stand in front of a package in imports,
 * and in front of a page everywhere else.
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

/** Letters, digits and the punctuation of file names; brackets only in pairs: `[id]`, `(shop)`, `{name}`. */
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

/** The folders and the name of a path that may begin anywhere and may hold a pattern. */
function pathSegments(path: string): string[] {
  let segments = path.split('/').filter((segment) => !/^(?:|\.|\.\.|~)$/.test(segment));
  // ".../parse/read.ts" leaves out the beginning
  if (/^(?:\.{3}|…)$/.test(segments[0] ?? '')) segments = segments.slice(1);
  // "a/src/x.ts" and "b/src/x.ts" in a patch
  if (/^[ab]$/.test(segments[0] ?? '') && segments.length > 1 && isFileName(segments.at(-1)!)) {
    segments = segments.slice(1);
  }
  const pattern = segments.findIndex((segment) => /[*{}]|^(?:\.{3}|…)$/.test(segment));
  return pattern === -1 ? segments : segments.slice(0, pattern);
}

/** Whether folders and a name, written with slashes, are meant as a path and not as `and/or`, `1/2`, `text/html`. */
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
