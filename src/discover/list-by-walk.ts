import type { Diagnostic } from '../model/diagnostic.ts';
import type { FileStat, SafeRoot } from '../platform/safe-root.ts';
import { toByteString } from './byte-string.ts';
import { describeUnreadable } from './describe-unreadable.ts';
import { type IgnoreScope, isIgnored } from './ignore-rules.ts';
import type { FileListing, ListedFile } from './listed-file.ts';
import { enterFolder, LOADOUT_IGNORE } from './loadout-ignore.ts';
import type { PathFilter } from './path-filter.ts';
import { summarizePaths } from './summarize-paths.ts';
import { createBreather } from './take-breath.ts';

/**
 * Folders that tools fill, not people. A repository ignores them; where nothing says so, a look at one would
 * bury the project under its packages.
 */
const INSTALLED: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '__pycache__',
  '.venv',
  '.tox',
  '.hg',
  '.svn',
]);

interface Folder {
  readonly path: string;
  readonly gitIgnore: IgnoreScope | null;
  readonly loadoutIgnore: IgnoreScope | null;
}

/**
 * Lists a tree without git's help, by the same `.gitignore` rules. It differs from git where git knows more
 * than the folders say: files tracked although they are ignored are left out here, `.git/info/exclude` and
 * the user's global ignore file are not read, folders of installed packages are left out, and pipes, sockets
 * and devices are listed (git hides them).
 * Folders are taken level by level, so that `mostFiles` cuts off what lies deepest.
 */
export async function listByWalk(
  root: SafeRoot,
  filter: PathFilter,
  mostFiles: number,
): Promise<FileListing> {
  const files: ListedFile[] = [];
  const unreadable: string[] = [];
  const installed: string[] = [];
  const folders: Folder[] = [{ path: '', gitIgnore: null, loadoutIgnore: null }];
  const takeBreath = createBreather();
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
    const scopes = enter(root, folder, names);
    for (const entry of entries) {
      if (entry.name === '.git') continue;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      // Some file systems do not say in the listing what an entry is.
      const stat = entry.type === 'other' ? root.stat(path) : null;
      const isFolder = (stat?.type ?? entry.type) === 'directory';
      if (isOut(scopes, path, isFolder)) continue;
      if (!isFolder && filter.accepts(path)) files.push(listed(path, stat ?? root.stat(path)));
      else if (isFolder && INSTALLED.has(entry.name)) installed.push(path);
      else if (isFolder && !filter.prunes(path)) folders.push({ ...scopes, path });
    }
    await takeBreath(entries.length);
  }
  const cutOff = next <= folders.length && files.length >= mostFiles;
  return { files, diagnostics: describe(unreadable, installed, cutOff, mostFiles) };
}

function enter(root: SafeRoot, folder: Folder, names: ReadonlySet<string>): Folder {
  const open = (fileName: string, outer: IgnoreScope | null): IgnoreScope | null =>
    names.has(fileName) ? enterFolder(root, folder.path, fileName, outer) : outer;
  return {
    path: folder.path,
    gitIgnore: open('.gitignore', folder.gitIgnore),
    loadoutIgnore: open(LOADOUT_IGNORE, folder.loadoutIgnore),
  };
}

function isOut({ gitIgnore, loadoutIgnore }: Folder, path: string, isFolder: boolean): boolean {
  if (gitIgnore === null && loadoutIgnore === null) return false;
  const bytes = toByteString(path);
  return isIgnored(gitIgnore, bytes, isFolder) || isIgnored(loadoutIgnore, bytes, isFolder);
}

function listed(path: string, stat: FileStat | null): ListedFile {
  return { path, stat, isRepository: false, gitBlob: null };
}

/** A stray `.git` is not enough: git, too, looks whether a repository is behind it. */
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
