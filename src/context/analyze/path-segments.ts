import { isFileName, isFolderName } from './file-names.ts';
import { isWordUnit } from './word-runs.ts';

const NOT_FOLDERS =
  /^(?:and|or|not|und|oder|et|ou|y|o|he|she|his|her|him|w|n|yes|no|true|false|on|off|s|a)$/i;
const DATE = /^\d{1,2}\/[A-Z][a-z]{2}\/\d{4}$/;
const MEDIA_TYPE = /^(?:application|text|image|audio|video|font|multipart|message)$/;

/** Letters, digits and the punctuation of file names; brackets only in pairs: `[id]`, `(shop)`, `{name}`. */
export function isSegment(segment: string): boolean {
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
export function pathSegments(path: string): string[] {
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
export function isWrittenPath(raw: string, segments: readonly string[], isQuoted: boolean): boolean {
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
