import { compileGlob, type GlobMatcher } from './glob-pattern.ts';

interface IgnoreRule {
  readonly matches: GlobMatcher;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one ignore file, in the order written. */
export type IgnoreRules = readonly IgnoreRule[];

/** The rules that hold inside a folder: its own file first, then those of the folders above. */
export interface IgnoreScope {
  readonly rules: IgnoreRules;
  /** The folder that holds the file, with a closing slash, or '' for the root. */
  readonly base: string;
  readonly outer: IgnoreScope | null;
}

/**
 * Parses an ignore file the way git does. Text and paths are byte strings (one character per byte, see
 * `toByteString`), because to git a `?` is one byte and not one letter.
 */
export function parseIgnoreRules(text: string): IgnoreRules {
  const rules: IgnoreRule[] = [];
  const UTF8_BOM = '\xef\xbb\xbf';
  const lines = (text.startsWith(UTF8_BOM) ? text.slice(UTF8_BOM.length) : text).split(/\r?\n/);
  for (const line of lines) {
    const rule = line.startsWith('#') ? null : parseRule(line);
    if (rule !== null) rules.push(rule);
  }
  return rules;
}

function parseRule(line: string): IgnoreRule | null {
  let pattern = trimTrailingSpaces(line.split('\0', 1)[0] ?? '');
  const negated = pattern.startsWith('!');
  if (negated) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  if (pattern === '') return null;
  const matches = compileGlob(pattern.startsWith('/') ? pattern.slice(1) : pattern, !pattern.includes('/'));
  return matches === null ? null : { matches, negated, foldersOnly };
}

function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  if (end === line.length) return line;
  let escapes = 0;
  while (line[end - 1 - escapes] === '\\') escapes += 1;
  return line.slice(0, escapes % 2 === 1 ? end + 1 : end);
}

/** Whether the rules say that this path, whose folder is not ignored itself, is left out. */
export function isIgnored(scope: IgnoreScope | null, path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  for (let current = scope; current !== null; current = current.outer) {
    const relative = path.slice(current.base.length);
    for (let i = current.rules.length - 1; i >= 0; i -= 1) {
      const rule = current.rules[i];
      if (rule === undefined || (rule.foldersOnly && !isFolder)) continue;
      if (rule.matches(relative, name)) return !rule.negated;
    }
  }
  return false;
}
