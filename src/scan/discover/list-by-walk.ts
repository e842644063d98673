// Lists files by walking the folders, for directories without git or where git cannot answer.
import type { Diagnostic } from '../../model/diagnostic.ts';
import { readIgnoreFiles } from '../../platform/fs/ignore-files.ts';
import { prefixBelow } from '../../platform/fs/path-codec.ts';
import { type FileStat, openSafeRoot, type SafeRoot } from '../../platform/fs/safe-root.ts';
import { toByteString } from './glob-pattern.ts';
import {
  createEventLoopYield,
  describeUnreadable,
  type FileListing,
  type ListedFile,
  summarizePaths,
} from './listed-file.ts';
import type { PathFilter } from './path-filter.ts';
import { enterFolder, type IgnoreScope, isIgnored, LOADOUT_IGNORE, parseIgnoreRules } from './rule-files.ts';

/**
 * Folders that tools fill. Most repositories ignore them; where no rule does, they would bury the project under its
 * packages.
 */
const INSTALLED: ReadonlySet<string> = new Set(
  'node_modules bower_components __pycache__ .venv .tox .hg .svn'.split(' '),
);

/** A folder to walk, with the rules that hold in it. */
interface Folder {
  readonly path: string;
  readonly gitIgnore: IgnoreScope | null;
  readonly loadoutIgnore: IgnoreScope | null;
}

/**
 * Lists a tree by the same ignore files as git: those in the folders and above the root, `.git/info/exclude` and the
 * user's own. It differs where git knows more: files that are tracked although they are ignored are left out here.
 * Folders of installed packages are left out, and pipes, sockets and devices are listed, which git hides. Folders are
 * taken level by level, so that `mostFiles` cuts off the deepest ones.
 */
export async function listByWalk(
  root: SafeRoot,
  filter: PathFilter,
  mostFiles: number,
): Promise<FileListing> {
  const files: ListedFile[] = [];
  const unreadable: string[] = [];
  const installed: string[] = [];
  const { prefix, scope } = await rulesFromOutside(root);
  const folders: Folder[] = [{ path: '', gitIgnore: scope, loadoutIgnore: null }];
  const yieldToEventLoop = createEventLoopYield();
  let next = 0;
  for (
    let folder = folders[next++];
    folder !== undefined && files.length < mostFiles;
    folder = folders[next++]
  ) {
    const entries = root.list(folder.path);
    if (entries === null) {
      unreadable.push(folder.path);
      continue;
    }
    const names = new Set(entries.map((entry) => entry.name));
    if (folder.path !== '' && names.has('.git') && isRepository(root, folder.path)) {
      if (filter.accepts(folder.path))
        files.push({ ...listed(folder.path, root.stat(folder.path)), isRepository: true });
      continue;
    }
    const scopes = enter(root, folder, names, prefix);
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      // Some file systems do not say in the listing what an entry is.
      const stat = entry.type === 'other' ? root.stat(path) : null;
      const isFolder = (stat?.type ?? entry.type) === 'directory';
      if (isOut(scopes, path, isFolder, prefix)) continue;
      if (!isFolder && filter.accepts(path)) files.push(listed(path, stat ?? root.stat(path)));
      else if (isFolder && INSTALLED.has(entry.name)) installed.push(path);
      else if (isFolder && !filter.prunes(path)) folders.push({ ...scopes, path });
    }
    await yieldToEventLoop(entries.length);
  }
  const cutOff = next <= folders.length && files.length >= mostFiles;
  return { files, diagnostics: describe(unreadable, installed, cutOff, mostFiles) };
}

interface OuterRules {
  /** The path from the work tree to the root: `''` or `sub/folder/`. */
  readonly prefix: string;
  readonly scope: IgnoreScope | null;
}

/**
 * The rules that hold in the root before its own files: those of the user, of the repository and of the folders above.
 */
async function rulesFromOutside(root: SafeRoot): Promise<OuterRules> {
  const { workTree, contents } = await readIgnoreFiles(root.path);
  const prefix = prefixBelow(workTree, root.path) ?? '';
  const above = prefix.split('/').slice(0, -1);
  const folders = above.map((_, depth) => above.slice(0, depth).join('/'));
  let scope: IgnoreScope | null = null;
  // Rules that ignore the root itself do not count: a user who names an ignored folder wants it listed.
  const add = (inner: IgnoreScope | null) => {
    if (inner === null || inner === scope) return;
    const alone = { ...inner, outer: null };
    const hits = above.some((_, depth) => {
      const path = toByteString(above.slice(0, depth + 1).join('/'));
      return path.startsWith(inner.base) && isIgnored(alone, path, true);
    });
    if (!hits) scope = inner;
  };
  for (const bytes of [...contents].reverse())
    add({ rules: parseIgnoreRules(bytes.toString('latin1')), base: '', outer: scope });
  const tree = folders.length > 0 ? openSafeRoot(workTree) : root;
  for (const folder of folders) add(enterFolder(tree, folder, '.gitignore', scope));
  return { prefix, scope };
}

/** Opens the ignore files of a folder. */
function enter(root: SafeRoot, folder: Folder, names: ReadonlySet<string>, prefix: string): Folder {
  const open = (fileName: string, outer: IgnoreScope | null, base = ''): IgnoreScope | null =>
    names.has(fileName) ? enterFolder(root, folder.path, fileName, outer, base) : outer;
  return {
    path: folder.path,
    gitIgnore: open('.gitignore', folder.gitIgnore, prefix),
    loadoutIgnore: open(LOADOUT_IGNORE, folder.loadoutIgnore),
  };
}

/** Whether either kind of ignore file leaves the path out. */
function isOut(
  { gitIgnore, loadoutIgnore }: Folder,
  path: string,
  isFolder: boolean,
  prefix: string,
): boolean {
  if (gitIgnore === null && loadoutIgnore === null) return false;
  return (
    isIgnored(gitIgnore, toByteString(prefix + path), isFolder) ||
    isIgnored(loadoutIgnore, toByteString(path), isFolder)
  );
}

/** A file that no git client knows. */
function listed(path: string, stat: FileStat | null): ListedFile {
  return { path, stat, isRepository: false, gitBlob: null };
}

/** A stray `.git` is not enough: like git, look whether a repository is behind it. */
function isRepository(root: SafeRoot, folder: string): boolean {
  const dotGit = `${folder}/.git`;
  if (root.stat(dotGit)?.type === 'directory') {
    return ['HEAD', 'objects', 'refs'].every((part) => root.stat(`${dotGit}/${part}`) !== null);
  }
  const pointer = root.readHead(dotGit, 8);
  return pointer.kind === 'content' && pointer.bytes.toString('latin1') === 'gitdir: ';
}

function describe(
  unreadable: readonly string[],
  installed: readonly string[],
  cutOff: boolean,
  mostFiles: number,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (installed.length > 0) {
    const message = `${summarizePaths(installed, 'folder')} of installed packages left out`;
    diagnostics.push({ code: 'packages-left-out', severity: 'info', message });
  }
  diagnostics.push(...describeUnreadable(unreadable));
  if (cutOff) {
    const message = `the listing ended after ${mostFiles} files; deeper folders were not looked at`;
    diagnostics.push({ code: 'listing-cut-off', severity: 'warning', message });
  }
  return diagnostics;
}
