// Glob patterns with the meaning that git gives them, matched in time that a hostile pattern cannot blow up. Ignore
// files, attributes and `--include` all use them.
import { encodePathBytes } from '../../platform/fs/path-codec.ts';

/** Tests a path. `path` is relative to the folder of the pattern, `name` is its last segment. */
export type GlobMatcher = (path: string, name: string) => boolean;

/** A `**` between slashes: any number of folders. */
const ANY_FOLDERS = 'any-folders';

/**
 * Compiles a pattern of `* ** ? [] \`. Null when it is malformed, which in git means that it never matches. With
 * `anywhere` the pattern is compared with the last segment alone.
 */
export function compileGlob(pattern: string, anywhere: boolean): GlobMatcher | null {
  const segments = readSegments(pattern);
  if (segments === null) return null;
  if (anywhere) {
    const matchesName = compileSegment(segments.flat());
    return (_path, name) => matchesName(name);
  }
  const literals = segments.map(literalText);
  if (literals.every((text) => text !== null)) {
    const literal = literals.join('/');
    return (path) => path === literal;
  }
  const steps = segments.map((tokens) => (isAnyFolders(tokens) ? ANY_FOLDERS : compileSegment(tokens)));
  const literalFolder = literals[0] == null || steps.length === 1 ? '' : `${literals[0]}/`;
  return (path) => path.startsWith(literalFolder) && matchSteps(steps, path.split('/'));
}

function isAnyFolders(tokens: readonly GlobToken[]): boolean {
  return tokens.length >= 2 && tokens.every((token) => token === STAR);
}

/** The tokens of each part between slashes; null for a pattern that is malformed. */
function readSegments(pattern: string): GlobToken[][] | null {
  let current: GlobToken[] = [];
  const segments = [current];
  for (let at = 0; at < pattern.length; at += 1) {
    const isEscaped = pattern[at] === '\\';
    if (isEscaped && ++at === pattern.length) return null;
    const character = pattern[at];
    if (character === '/') {
      current = [];
      segments.push(current);
    } else if (isEscaped || !(character === '*' || character === '?' || character === '[')) {
      current.push(pattern.charCodeAt(at));
    } else if (character === '[') {
      const read = readCharacterClass(pattern, at);
      if (read === null) return null;
      current.push(read.characterClass);
      at = read.next - 1;
    } else {
      current.push(character === '*' ? STAR : ANY_ONE);
    }
  }
  return segments;
}

/** As with stars inside a name, only the last `**` can usefully take more folders. */
function matchSteps(
  steps: readonly (SegmentMatcher | typeof ANY_FOLDERS)[],
  names: readonly string[],
): boolean {
  let stepAt = 0;
  let nameAt = 0;
  let anyAt = -1;
  let anyTook = 0;
  while (nameAt < names.length) {
    const step = steps[stepAt];
    const name = names[nameAt] ?? '';
    if (step === ANY_FOLDERS) {
      // At the end it means everything inside the folder, which is at least one name.
      if (stepAt === steps.length - 1) return true;
      anyAt = stepAt++;
      anyTook = nameAt;
    } else if (step?.(name)) {
      stepAt += 1;
      nameAt += 1;
    } else if (anyAt >= 0) {
      stepAt = anyAt + 1;
      nameAt = ++anyTook;
    } else {
      return false;
    }
  }
  return stepAt === steps.length;
}

const STAR = 'star';
const ANY_ONE = 'any-one';

/** A literal is its UTF-16 code unit. */
type GlobToken = number | typeof STAR | typeof ANY_ONE | CharacterClass;

type SegmentMatcher = (name: string) => boolean;

/** Makes a matcher from the tokens between two slashes. Common shapes need no loop. */
function compileSegment(tokens: readonly GlobToken[]): SegmentMatcher {
  const literal = literalText(tokens);
  if (literal !== null) return (name) => name === literal;
  if (tokens.every((token) => token === STAR)) return () => true;
  const suffix = tokens[0] === STAR ? literalText(tokens.slice(1)) : null;
  if (suffix !== null) return (name) => name.endsWith(suffix);
  const prefix = tokens.at(-1) === STAR ? literalText(tokens.slice(0, -1)) : null;
  if (prefix !== null) return (name) => name.startsWith(prefix);
  return (name) => matchTokens(tokens, name);
}

/** The text of tokens without wildcards; null when there is a wildcard. */
function literalText(tokens: readonly GlobToken[]): string | null {
  let text = '';
  for (const token of tokens) {
    if (typeof token !== 'number') return null;
    text += String.fromCharCode(token);
  }
  return text;
}

/**
 * Only the last star can usefully take more characters, so one remembered position is enough. The time is at most
 * pattern length times name length, whatever a hostile ignore file says.
 */
function matchTokens(tokens: readonly GlobToken[], name: string): boolean {
  let tokenAt = 0;
  let nameAt = 0;
  let starAt = -1;
  let starTook = 0;
  while (nameAt < name.length) {
    const token = tokens[tokenAt];
    if (token === STAR) {
      starAt = tokenAt++;
      starTook = nameAt;
      continue;
    }
    const width = token === undefined ? 0 : matchOne(token, name, nameAt);
    if (width > 0) {
      tokenAt += 1;
      nameAt += width;
    } else if (starAt >= 0) {
      tokenAt = starAt + 1;
      nameAt = ++starTook;
    } else {
      return false;
    }
  }
  while (tokens[tokenAt] === STAR) tokenAt += 1;
  return tokenAt === tokens.length;
}

/** The number of code units that the token matches here; 0 when it does not match. */
function matchOne(token: Exclude<GlobToken, typeof STAR>, name: string, at: number): number {
  if (typeof token === 'number') return name.charCodeAt(at) === token ? 1 : 0;
  const code = name.codePointAt(at) ?? 0;
  const width = code > 0xffff ? 2 : 1;
  return token === ANY_ONE || classContains(token, code) ? width : 0;
}

/** The content of `[...]`: code ranges, perhaps negated. */
interface CharacterClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [low: number, high: number])[];
}

const NAMED_RANGES: ReadonlyMap<string, CharacterClass['ranges']> = new Map([
  ['alnum', ranges('09AZaz')],
  ['alpha', ranges('AZaz')],
  ['blank', ranges('\t\t  ')],
  ['cntrl', ranges('\x00\x1f\x7f\x7f')],
  ['digit', ranges('09')],
  ['graph', ranges('!~')],
  ['lower', ranges('az')],
  ['print', ranges(' ~')],
  ['punct', ranges('!/:@[`{~')],
  ['space', ranges('\t\r  ')],
  ['upper', ranges('AZ')],
  ['xdigit', ranges('09AFaf')],
]);

/** `'09AZ'` becomes the ranges 0 to 9 and A to Z. */
function ranges(ends: string): CharacterClass['ranges'] {
  return Array.from({ length: ends.length / 2 }, (_, i) => [
    ends.charCodeAt(2 * i),
    ends.charCodeAt(2 * i + 1),
  ]);
}

function classContains(characterClass: CharacterClass, code: number): boolean {
  for (const [low, high] of characterClass.ranges) {
    if (code >= low && code <= high) return !characterClass.negated;
  }
  return characterClass.negated;
}

/** Reads the class whose `[` is at `open`; null when it never closes or names an unknown `[:class:]`. */
function readCharacterClass(
  pattern: string,
  open: number,
): { readonly characterClass: CharacterClass; readonly next: number } | null {
  let at = open + 1;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at += 1;
  const found: (readonly [number, number])[] = [];
  let previous: number | null = null;
  // A `]` directly after the opening is a member, not the end.
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    if (at >= pattern.length) return null;
    if (pattern.startsWith('[:', at)) {
      const close = pattern.indexOf(']', at + 2);
      if (close === -1) return null;
      if (close > at + 2 && pattern[close - 1] === ':') {
        const named = NAMED_RANGES.get(pattern.slice(at + 2, close - 1));
        if (named === undefined) return null;
        found.push(...named);
        previous = null;
        at = close + 1;
        continue;
      }
    }
    const after = pattern[at + 1];
    const isRange: boolean = pattern[at] === '-' && previous !== null && after !== undefined && after !== ']';
    if (isRange) at += 1;
    if (pattern[at] === '\\') at += 1;
    const code = pattern.codePointAt(at);
    if (code === undefined) return null;
    found.push(isRange && previous !== null ? [previous, code] : [code, code]);
    previous = isRange ? null : code;
    at += code > 0xffff ? 2 : 1;
  }
  return { characterClass: { negated, ranges: found }, next: at + 1 };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is exactly this range
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** The bytes of a path, one character each, because git matches patterns byte by byte. */
export function toByteString(path: string): string {
  return ASCII_ONLY.test(path) ? path : encodePathBytes(path).toString('latin1');
}
