/**
 * Files that the user names on the command line: where they may be written, and how paths relate to the
 * repository. A repository may contain links that lead anywhere, so every path is checked.
 */

import { linkSync, lstatSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, parse, resolve, sep } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside } from '../../platform/fs/make-folder.ts';
import { isInsideRoot, withSlashes } from '../../platform/fs/path-codec.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';

/**
 * The path of a file that the user wants written. A repository may hold a link that leads anywhere: a path through one
 * of its folders that is a link is refused, while links outside of it are the user's own.
 */
export function outputPath(roots: readonly SafeRoot[], given: string, cwd: string): string {
  const path = resolve(cwd, given);
  // Follow the path folder by folder, because each of them can be a link.
  let real = parse(path).root;
  for (const name of dirname(path).slice(real.length).split(sep)) {
    const folder = join(real, name);
    const leadsTo = linkTarget(folder);
    if (leadsTo !== null && roots.some((root) => isInsideRoot(root.path, withSlashes(real))))
      throw new LoadoutError('path-outside-root', `cannot write ${given}: the folder ${folder} is a link`, {
        subject: given,
        hint: 'name a file outside the repository, or in a folder that is not a link',
      });
    real = leadsTo ?? folder;
  }
  return path;
}

/** Null for anything but a link. If the folder cannot be read, the write that follows reports it. */
function linkTarget(folder: string): string | null {
  try {
    return lstatSync(folder).isSymbolicLink() ? realpathSync(folder) : null;
  } catch {
    return null;
  }
}

/**
 * Paths of the repository as a user gives them: relative to the current directory, or to the root when the current
 * directory is elsewhere, as with `--repo ../other --target src/main.ts`.
 */
export function containPaths(root: SafeRoot, paths: readonly string[], cwd: string): string[] {
  const from = isInsideRoot(root.path, withSlashes(cwd)) ? cwd : root.path;
  return paths.map((path) => root.contain(path, from));
}

/** Writes a new file below the root, whole or not at all. It never replaces an existing file. */
export function writeNewFile(root: SafeRoot, path: string, text: string): void {
  const folder = dirname(path);
  if (root.contain(path) !== path) {
    const message = `${folder} is reached through a link, and nothing is written there`;
    throw new LoadoutError('path-outside-root', message, { subject: folder });
  }
  const target = `${makeFolderInside(root.path, folder)}${path.slice(folder.length)}`;
  // A hard link fails when the target exists, so two writers cannot replace each other's file.
  const draft = `${target}.${process.pid}.tmp`;
  writeFileAtomic(draft, text);
  try {
    linkSync(draft, target);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw alreadyThere(path);
    writeWithoutLink(path, target, text);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Not every file system has hard links. */
function writeWithoutLink(path: string, target: string, text: string): void {
  try {
    writeFileSync(target, text, { flag: 'wx' });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') throw alreadyThere(path);
    throw new LoadoutError('cannot-write', `cannot write ${path} (${code})`, { subject: path, cause: error });
  }
}

/** An error for a file that would be replaced. */
export function alreadyThere(path: string): LoadoutError {
  return new LoadoutError('already-there', `${path} already exists and is not overwritten`, {
    subject: path,
    hint: 'choose another name, or edit the file',
  });
}

/** `pack.md` as `pack.2.md`. */
export function partPath(path: string, part: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}.${part}${extension}`;
}
