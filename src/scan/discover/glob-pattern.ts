import { readCharacterClass } from './character-class.ts';
import {
  ANY_ONE,
  compileSegment,
  type GlobToken,
  literalText,
  type SegmentMatcher,
  STAR,
} from './glob-segment.ts';

/** `path` is relative to where the pattern was written, `name` is its last segment. */
export type GlobMatcher = (path: string, name: string) => boolean;

const ANY_FOLDERS = 'any-folders';

/**
 * Compiles a pattern of `* ** ? [] \` with the meaning git gives them; null when it is malformed, which in
 * git means that it never matches. With `anywhere` the pattern is held against the last segment alone.
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

/** As with stars inside a name: only the last `**` met can usefully take more folders. */
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
      // At the end it stands for what is inside the folder, which is always at least one name.
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
