import { MAX_IGNORE_FILE_BYTES, tooLargeToIgnore } from '../../platform/fs/ignore-files.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';
import { toByteString } from './byte-string.ts';
import { type IgnoreRules, type IgnoreScope, isIgnored, parseIgnoreRules } from './ignore-rules.ts';
import { folderOf, inheritByFolder } from './inherit-by-folder.ts';

export const LOADOUT_IGNORE = '.loadoutignore';

interface FolderState {
  readonly ignored: boolean;
  readonly scope: IgnoreScope | null;
}

/**
 * Opens the scope of a folder's own ignore file inside the scope that holds around it. `prefix` stands in front of paths
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

/** What the `.loadoutignore` files leave out of an already made list; `foldersWithRules` says where they are. */
export function createLoadoutIgnore(
  root: SafeRoot,
  foldersWithRules: ReadonlySet<string>,
): (path: string) => boolean {
  if (foldersWithRules.size === 0) return () => false;
  const isLeftOut = createIgnoreFilter(root, LOADOUT_IGNORE, (folder) => foldersWithRules.has(folder));
  return (path) => isLeftOut(path, false);
}

/** What the ignore files of one name leave out; `hasRules` says which folders may hold one. */
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
 * Null when there is no such file to read: a pipe or a link under that name is no ignore file. One that is too large is
 * an error, because a list without its rules would show what was meant to be left out.
 */
function readIgnoreFile(root: SafeRoot, path: string): IgnoreRules | null {
  const outcome = root.read(path, MAX_IGNORE_FILE_BYTES);
  if (outcome.kind === 'content') return parseIgnoreRules(outcome.bytes.toString('latin1'));
  if (outcome.reason === 'too-large') throw tooLargeToIgnore(`${root.path}/${path}`, outcome.size);
  return null;
}
