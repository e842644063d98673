import { asRecord, asString } from './json-with-comments.ts';
import type { WorkspacePackage } from './package-manifest.ts';
import { matchPatterns, type PathPattern, pathPattern, sortPatterns } from './path-pattern.ts';
import { joinWithin } from './repository-path.ts';

/** Best first. What is not listed comes after `require` and before `default`. */
const CONDITIONS = ['source', 'development', 'types', 'import', 'module', 'require'];
const MAIN_FIELDS = ['source', 'types', 'typings', 'module', 'svelte', 'main', 'browser'];
const MAX_DEPTH = 8;

const patternsOf = new WeakMap<object, PathPattern[]>();

/** Where a package says that `subpath` of it lives, best first; relative to the root, not all need exist. */
export function packageEntries(owner: WorkspacePackage, subpath: string): string[] {
  const { manifest, folder } = owner;
  const asked = subpath === '' ? '.' : `./${subpath}`;
  const declared = subpathTargets(manifest.exports, asked, '.');
  if (subpath === '') {
    for (const field of MAIN_FIELDS) {
      const target = asString(manifest[field]);
      if (target !== null) declared.push(target);
    }
    declared.push('index', 'src/index', 'src/main', 'src');
  } else declared.push(subpath, `src/${subpath}`, `lib/${subpath}`);
  return within(folder, declared);
}

/** Where `#name` imports of this package lead: files of its own (`./x`) or other packages. */
export function packageImports(owner: WorkspacePackage, specifier: string): string[] {
  return subpathTargets(owner.manifest.imports, specifier, '#');
}

function within(folder: string, targets: readonly string[]): string[] {
  const joined = targets.map((target) => joinWithin(folder, target)).filter((path) => path !== null);
  return [...new Set(joined)];
}

/** `keyStart` is what every key of a subpath table starts with; a table of conditions has other keys. */
function subpathTargets(field: unknown, asked: string, keyStart: '.' | '#'): string[] {
  const table = asRecord(field);
  if (!table || !Object.keys(table).some((key) => key.startsWith(keyStart)))
    return asked === '.' ? leaves(field) : [];
  let patterns = patternsOf.get(table);
  if (!patterns) {
    patterns = sortPatterns(Object.entries(table).map(([key, value]) => pathPattern(key, leaves(value))));
    patternsOf.set(table, patterns);
  }
  return matchPatterns(patterns, asked);
}

function leaves(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((one) => leaves(one, depth + 1));
  const table = asRecord(value);
  if (!table) return [];
  return Object.entries(table)
    .sort(([left], [right]) => rank(left) - rank(right))
    .flatMap(([, one]) => leaves(one, depth + 1));
}

function rank(condition: string): number {
  if (condition === 'default') return CONDITIONS.length + 1;
  // `@scope/source` and the like: a workspace's own name for its sources
  if (condition.endsWith('source')) return 0;
  const index = CONDITIONS.indexOf(condition);
  return index < 0 ? CONDITIONS.length : index;
}
