// The rule files of a repository: `.gitignore`, `.loadoutignore` and `.gitattributes`, with the meaning that git gives
// them.
import { MAX_IGNORE_FILE_BYTES, tooLargeToIgnore } from '../../platform/fs/ignore-files.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitClient } from '../../platform/git/git.ts';
import { compileGlob, type GlobMatcher, toByteString } from './glob-pattern.ts';
import { folderOf, inheritByFolder, nameOf } from './inherit-by-folder.ts';

/** One line of an ignore file. */
interface IgnoreRule {
  readonly matches: GlobMatcher;
  readonly negated: boolean;
  readonly foldersOnly: boolean;
}

/** The rules of one ignore file, in the order written. */
type IgnoreRules = readonly IgnoreRule[];

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

/** A space after a backslash belongs to the pattern. */
function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') end -= 1;
  if (end === line.length) return line;
  let escapes = 0;
  while (line[end - 1 - escapes] === '\\') escapes += 1;
  return line.slice(0, escapes % 2 === 1 ? end + 1 : end);
}

/**
 * Whether the rules leave this path out. Its folder must not be ignored itself: git never looks inside ignored folders.
 */
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

/** The file with the patterns that Loadout should not list. */
export const LOADOUT_IGNORE = '.loadoutignore';

/** Whether a folder is ignored, and the rules that hold in it. */
interface FolderState {
  readonly ignored: boolean;
  readonly scope: IgnoreScope | null;
}

/**
 * Opens the scope of a folder's own ignore file inside the scope that holds around it. `prefix` comes before paths
 * that are compared with rules from above the root.
 */
export function enterFolder(
  root: SafeRoot,
  folder: string,
  fileName: string,
  outer: IgnoreScope | null,
  prefix = '',
): IgnoreScope | null {
  const base = folder === '' ? '' : `${folder}/`;
  const rules = readIgnoreFile(root, `${base}${fileName}`);
  return rules === null ? outer : { rules, base: toByteString(prefix + base), outer };
}

/** Applies `.loadoutignore` files to a finished list. `foldersWithRules` are the folders that have one. */
export function createLoadoutIgnore(
  root: SafeRoot,
  foldersWithRules: ReadonlySet<string>,
): (path: string) => boolean {
  if (foldersWithRules.size === 0) return () => false;
  const isLeftOut = createIgnoreFilter(root, LOADOUT_IGNORE, (folder) => foldersWithRules.has(folder));
  return (path) => isLeftOut(path, false);
}

/** Applies all ignore files of one name. `hasRules` says which folders may have one. */
export function createIgnoreFilter(
  root: SafeRoot,
  fileName: string,
  hasRules: (folder: string) => boolean,
): (path: string, isFolder: boolean) => boolean {
  const enter = (folder: string, outer: IgnoreScope | null): IgnoreScope | null =>
    hasRules(folder) ? enterFolder(root, folder, fileName, outer) : outer;
  const stateOf = inheritByFolder<FolderState>(
    { ignored: false, scope: enter('', null) },
    (above, folder) => {
      const ignored = above.ignored || isIgnored(above.scope, toByteString(folder), true);
      return ignored ? { ignored, scope: null } : { ignored, scope: enter(folder, above.scope) };
    },
  );
  return (path, isFolder) => {
    const { ignored, scope } = stateOf(folderOf(path));
    return ignored || isIgnored(scope, toByteString(path), isFolder);
  };
}

/**
 * The rules of a file; null when there is none. A pipe or a link of that name is no ignore file. A file that is too
 * large is an error: without its rules the list would show what was meant to be left out.
 */
function readIgnoreFile(root: SafeRoot, path: string): IgnoreRules | null {
  const outcome = root.read(path, MAX_IGNORE_FILE_BYTES);
  if (outcome.kind === 'content') return parseIgnoreRules(outcome.bytes.toString('latin1'));
  if (outcome.reason === 'too-large') throw tooLargeToIgnore(`${root.path}/${path}`, outcome.size);
  return null;
}

/** The attributes of a file that matter here; undefined where `.gitattributes` says nothing. */
export interface FileAttributes {
  readonly generated: boolean | undefined;
  readonly vendored: boolean | undefined;
  readonly documentation: boolean | undefined;
  /** Declared `binary`, or `-diff`: not meant to be read by people. */
  readonly unread: 'binary' | '-diff' | null;
}

const ATTRIBUTES = ['linguist-generated', 'linguist-vendored', 'linguist-documentation', 'diff', 'binary'];
/** Lines without one of these words cannot matter. */
const MENTION = /linguist-(?:generated|vendored|documentation)|[\s]-diff\b|[\s]binary\b/;
const MAX_ATTRIBUTE_FILE_BYTES = 1_000_000;

/**
 * Asks git once, and only about paths that a line with one of these attributes may match. In most repositories that is
 * no path at all. `prefix` leads from the work tree to the root.
 */
export async function readGitAttributes(
  root: SafeRoot,
  git: GitClient,
  prefix: string,
  paths: readonly string[],
  hasAttributesAbove: boolean,
): Promise<ReadonlyMap<string, FileAttributes>> {
  // Files above the root cannot be read through it, and may say anything.
  const candidates = hasAttributesAbove ? paths : selectCandidates(root, paths);
  if (candidates.length === 0) return new Map();
  const answers = await git.attributes(
    ATTRIBUTES,
    candidates.map((path) => prefix + path),
  );
  const found = new Map<string, FileAttributes>();
  for (const [path, values] of answers) found.set(path.slice(prefix.length), toFileAttributes(values));
  return found;
}

/** Paths that some line may match. Git decides in the end, so a match too many does no harm. */
function selectCandidates(root: SafeRoot, paths: readonly string[]): readonly string[] {
  const scopes = paths
    .filter((path) => path.endsWith('.gitattributes') && nameOf(path) === '.gitattributes')
    .flatMap((path) => readScope(root, path) ?? []);
  if (scopes.length === 0) return [];
  return paths.filter((path) => {
    const bytes = toByteString(path);
    const name = nameOf(bytes);
    return scopes.some(
      ({ base, matchers }) =>
        bytes.startsWith(base) && matchers.some((matches) => matches(bytes.slice(base.length), name)),
    );
  });
}

/** The lines of one `.gitattributes` file that may matter, and the folder that it applies to. */
interface Scope {
  readonly base: string;
  readonly matchers: readonly GlobMatcher[];
}

function readScope(root: SafeRoot, path: string): Scope | null {
  const outcome = root.read(path, MAX_ATTRIBUTE_FILE_BYTES);
  if (outcome.kind === 'skipped') return null;
  const lines = outcome.bytes.toString('latin1').split(/\r?\n/);
  const telling = lines.filter((line) => !line.startsWith('#') && MENTION.test(line));
  if (telling.length === 0) return null;
  const folder = folderOf(path);
  return {
    base: folder === '' ? '' : toByteString(`${folder}/`),
    matchers: telling.flatMap((line) => toMatcher(line)),
  };
}

function toMatcher(line: string): GlobMatcher | [] {
  const pattern = line.trimStart().split(/\s/, 1)[0] ?? '';
  // Any later line may use a macro, and a quoted pattern has its own escapes: git decides about these.
  if (pattern.startsWith('[attr]') || pattern.startsWith('"')) return () => true;
  return compileGlob(pattern.replace(/^\//, ''), !pattern.includes('/')) ?? [];
}

/** Attributes that are not set at all stay undefined. */
function toFileAttributes(values: ReadonlyMap<string, string>): FileAttributes {
  const flag = (name: string): boolean | undefined => {
    const value = values.get(name);
    return value === undefined ? undefined : value === 'set' || value === 'true';
  };
  const isBinary = values.get('binary') === 'set';
  return {
    generated: flag('linguist-generated'),
    vendored: flag('linguist-vendored'),
    documentation: flag('linguist-documentation'),
    unread: isBinary ? 'binary' : values.get('diff') === 'unset' ? '-diff' : null,
  };
}
