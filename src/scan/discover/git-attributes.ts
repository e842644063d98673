import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import type { GitClient } from '../../platform/git/git.ts';
import { compileGlob, type GlobMatcher, toByteString } from './glob-pattern.ts';
import { folderOf, nameOf } from './inherit-by-folder.ts';

/** What `.gitattributes` say about a file; undefined where they say nothing. */
export interface FileAttributes {
  readonly generated: boolean | undefined;
  readonly vendored: boolean | undefined;
  readonly documentation: boolean | undefined;
  /** Declared `binary`, or `-diff`: not meant to be read by people. */
  readonly unread: 'binary' | '-diff' | null;
}

const ATTRIBUTES = ['linguist-generated', 'linguist-vendored', 'linguist-documentation', 'diff', 'binary'];
const MENTION = /linguist-(?:generated|vendored|documentation)|[\s]-diff\b|[\s]binary\b/;
const MAX_ATTRIBUTE_FILE_BYTES = 1_000_000;

/**
 * Asks git once, and only about the paths that some line with one of these attributes may be about: for most
 * repositories that is no path at all. `prefix` leads from the work tree to the root.
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
  // A macro can be used by any later line, a quoted pattern has escapes of its own: let git say.
  if (pattern.startsWith('[attr]') || pattern.startsWith('"')) return () => true;
  return compileGlob(pattern.replace(/^\//, ''), !pattern.includes('/')) ?? [];
}

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
