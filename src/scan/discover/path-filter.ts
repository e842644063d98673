// The patterns of `--include` and `--exclude`, and of everything else that selects paths by pattern.
import { LoadoutError } from '../../model/loadout-error.ts';
import { compileGlob, type GlobMatcher } from './glob-pattern.ts';
import { folderOf, inheritByFolder, nameOf } from './inherit-by-folder.ts';

/** The rules of `--include` and `--exclude`. */
export interface PathFilter {
  /** Whether the file is wanted: an include pattern covers it, or there is none, and no exclude pattern does. */
  accepts(path: string): boolean;
  /** Whether nothing below this folder is wanted, so that there is no need to look. */
  prunes(folder: string): boolean;
}

const MAX_PATTERN = 4_096;

/**
 * Compiles patterns of `* ** ? [] {}`. Without a `/` a pattern is compared with names at any depth, with one with the
 * path from the root. A plain name or path also means everything below the folder of that name.
 */
export function createPathFilter(include: readonly string[], exclude: readonly string[]): PathFilter {
  const included = include.length === 0 ? null : compileAll(include, 'include');
  const excluded = exclude.length === 0 ? null : compileAll(exclude, 'exclude');
  return {
    accepts: (path) => (included?.covers(path) ?? true) && !(excluded?.covers(path) ?? false),
    prunes: (folder) => excluded?.coversFolder(folder) ?? false,
  };
}

/** All patterns of one option. */
interface PatternSet {
  covers(path: string): boolean;
  coversFolder(folder: string): boolean;
}

function compileAll(patterns: readonly string[], option: string): PatternSet {
  const compiled = patterns.flatMap((pattern) => compilePattern(pattern, option));
  const forFiles = compiled.flatMap(({ file }) => file ?? []);
  const forFolders = compiled.flatMap(({ folder }) => folder ?? []);
  const literalPaths = new Set(patterns.map((pattern) => pattern.normalize('NFC')));
  const coversFolder = inheritByFolder<boolean>(
    forFolders.some((matches) => matches('', '')),
    (above, folder) => above || forFolders.some((matches) => matches(folder, nameOf(folder))),
  );
  return {
    covers(givenPath) {
      // The keyboard and the file system may spell the same accented letter differently.
      const path = givenPath.normalize('NFC');
      if (coversFolder(folderOf(path)) || literalPaths.has(path)) return true;
      return forFiles.some((matches) => matches(path, nameOf(path)));
    },
    coversFolder: (folder) => coversFolder(folder.normalize('NFC')),
  };
}

/** One alternative of a pattern: its match for files, and for whole folders. */
interface CompiledPattern {
  readonly file: GlobMatcher | null;
  readonly folder: GlobMatcher | null;
}

const ALLOWED = 'Patterns may use * ** ? [] {} and \\ to take the next character as it is.';

function compilePattern(given: string, option: string): readonly CompiledPattern[] {
  const reject = (problem: string): never => {
    const message = `--${option} "${given.slice(0, 200)}": ${problem}`;
    throw new LoadoutError('bad-glob', message, { subject: given, hint: ALLOWED });
  };
  const problem = findProblem(given);
  if (problem !== null) reject(problem);
  const alternatives = expandBraces(given.normalize('NFC')) ?? reject('the braces make too many patterns');
  return alternatives.map((alternative) => {
    const pattern = alternative.replace(/^(?:\.?\/)+/, '');
    const folder = pattern.replace(/(?:\/+\*\*|\/+)$/, '');
    const isFolder = folder !== pattern || folder === '';
    const compiled = compileGlob(folder, !alternative.includes('/')) ?? reject('a [ or \\ is not closed');
    if (isFolder) return { file: null, folder: compiled };
    return { file: compiled, folder: /[*?[]/.test(folder) ? null : compiled };
  });
}

/** Why a pattern is refused; null when it is fine. */
function findProblem(pattern: string): string | null {
  if (pattern === '') return 'the pattern is empty';
  if (pattern.includes('\0')) return 'the pattern has a NUL character, which no file name can have';
  if (pattern.length > MAX_PATTERN)
    return `the pattern has ${pattern.length} characters; at most ${MAX_PATTERN} are allowed`;
  if (pattern.startsWith('!')) return 'a pattern cannot be negated; use --exclude to leave files out';
  if (/(?:^|[^\\])[@+*?!]\(/.test(pattern)) return 'extended globs such as @(a|b) are not supported';
  return /(?:^|\/)\.\.(?:\/|$)/.test(pattern) ? '".." leads out of the repository' : null;
}

const MAX_ALTERNATIVES = 1_000;

/**
 * `a{b,c}d` becomes `abd` and `acd`, nested braces included. A brace without a comma stays as it is. Null when there
 * are too many alternatives.
 */
export function expandBraces(pattern: string): readonly string[] | null {
  const done: string[] = [];
  const open = [pattern];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const group = findGroup(current);
    if (group === null) {
      done.push(current);
    } else {
      // Pushed in reverse, so that the alternatives come out in the order written.
      for (const alternative of group.alternatives.toReversed()) {
        open.push(current.slice(0, group.start) + alternative + current.slice(group.end));
      }
    }
    if (done.length + open.length > MAX_ALTERNATIVES) return null;
  }
  return done;
}

/** A brace group: its offsets, and its alternatives as text. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly alternatives: readonly string[];
}

/** The first group that has a comma of its own. */
function findGroup(pattern: string): Group | null {
  const starts: { at: number; commas: number[] }[] = [];
  let found: Group | null = null;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') {
      at += 1;
    } else if (character === '{') {
      starts.push({ at, commas: [] });
    } else if (character === ',') {
      starts.at(-1)?.commas.push(at);
    } else if (character === '}') {
      const start = starts.pop();
      if (start === undefined || start.commas.length === 0) continue;
      found = {
        start: start.at,
        end: at + 1,
        alternatives: slices(pattern, [start.at, ...start.commas, at]),
      };
      // An outer group may still close around this one; it has to be taken apart first.
      if (!starts.some((outer) => outer.commas.length > 0)) return found;
    }
  }
  return found;
}

function slices(pattern: string, marks: readonly number[]): readonly string[] {
  return marks.slice(0, -1).map((mark, i) => pattern.slice(mark + 1, marks[i + 1]));
}
