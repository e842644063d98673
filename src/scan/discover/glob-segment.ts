import { type CharacterClass, classContains } from './character-class.ts';

export const STAR = 'star';
export const ANY_ONE = 'any-one';

/** A literal is its UTF-16 code unit. */
export type GlobToken = number | typeof STAR | typeof ANY_ONE | CharacterClass;

export type SegmentMatcher = (name: string) => boolean;

/** Turns the tokens between two slashes into a matcher; the common shapes need no loop of ours. */
export function compileSegment(tokens: readonly GlobToken[]): SegmentMatcher {
  const literal = literalText(tokens);
  if (literal !== null) return (name) => name === literal;
  if (tokens.every((token) => token === STAR)) return () => true;
  const suffix = tokens[0] === STAR ? literalText(tokens.slice(1)) : null;
  if (suffix !== null) return (name) => name.endsWith(suffix);
  const prefix = tokens.at(-1) === STAR ? literalText(tokens.slice(0, -1)) : null;
  if (prefix !== null) return (name) => name.startsWith(prefix);
  return (name) => matchTokens(tokens, name);
}

export function literalText(tokens: readonly GlobToken[]): string | null {
  let text = '';
  for (const token of tokens) {
    if (typeof token !== 'number') return null;
    text += String.fromCharCode(token);
  }
  return text;
}

/**
 * Only the last star met can usefully take more, so one remembered position is enough and the time is at
 * most pattern length times name length, whatever a hostile ignore file says.
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

/** How many code units the token takes at this place; 0 when it does not match. */
function matchOne(token: Exclude<GlobToken, typeof STAR>, name: string, at: number): number {
  if (typeof token === 'number') return name.charCodeAt(at) === token ? 1 : 0;
  const code = name.codePointAt(at) ?? 0;
  const width = code > 0xffff ? 2 : 1;
  return token === ANY_ONE || classContains(token, code) ? width : 0;
}
