// Makes, replaces and removes folders.

import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { encodePath, isInsideRoot } from './path-codec.ts';

/**
 * Creates a folder and those above it, level by level. Node's own `recursive` never ends where a folder exists and takes no
 * entries, as `/proc` does.
 */
export function createFolders(path: string, mode = 0o777): void {
  const missing = [resolve(path)];
  for (let above = dirname(missing[0]!); typeOf(above) === 'none'; above = dirname(above)) {
    missing.push(above);
    if (above === dirname(above)) break;
  }
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder, { mode });
    } catch (error) {
      // it was there, or another process was quicker
      if (typeOf(folder) !== 'folder') throw error;
    }
  }
}

function typeOf(path: string): 'folder' | 'other' | 'none' {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? 'none' : stats.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}

/** The mode of folders that other users of the machine should not read. */
export const OWNER_FOLDER = 0o700;

/** Creates a folder and those above it; returns its real path. */
export function makeFolder(path: string, mode = 0o777): string {
  try {
    createFolders(dirname(path));
    createFolders(path, mode);
    return realpathSync(path);
  } catch (cause) {
    throw new LoadoutError('cannot-write', `cannot create the folder ${path}: ${(cause as Error).message}`, {
      subject: path,
      hint: 'choose a folder that can be written',
      cause,
    });
  }
}

/** Creates a folder below another and makes sure that no link on the way leads out of it. */
export function makeFolderInside(base: string, relative: string, mode?: number): string {
  const path = makeFolder(`${base}/${relative}`, mode);
  if (!isInsideRoot(realpathSync(base), path))
    throw new LoadoutError('path-outside-root', `${base}/${relative} leads out of ${base} through a link`, {
      subject: relative,
      hint: 'remove the link, or choose another folder',
    });
  return path;
}

/** Removes a file below a folder, and the folders between them that are empty then. What cannot be removed stays. */
export function removeFileInside(base: string, relative: string): void {
  const real = realpathSync(base);
  const path = `${real}/${relative}`;
  try {
    let folder = realpathSync(encodePath(dirname(path)));
    if (!isInsideRoot(real, folder)) return;
    unlinkSync(encodePath(path));
    for (; folder !== real; folder = dirname(folder)) rmdirSync(encodePath(folder));
  } catch {
    // belongs to others, or holds something else
  }
}

/** True only when the folder certainly does not exist: one that cannot be read may exist. */
export function folderIsGone(path: string): boolean {
  try {
    return !statSync(encodePath(path)).isDirectory();
  } catch (error) {
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
  }
}

/** Removes a folder with everything in it; false when something could not be removed. */
export function removeFolder(path: string): boolean {
  try {
    rmSync(encodePath(path), { recursive: true, force: true, maxRetries: 2, retryDelay: 20 });
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a folder hold exactly these files. Readers, also after a crash, see all of the old ones, all of
 * the new ones or no folder at all. One process at a time may do this for a folder.
 */
export function replaceFolder(path: string, files: ReadonlyMap<string, string>): void {
  const [parent, name] = [dirname(path), basename(path)];
  const other = (kind: string) => join(parent, `${name}.${kind}-${randomBytes(4).toString('hex')}`);
  const [next, old] = [other('next'), other('old')];
  try {
    createFolders(next);
    for (const [file, content] of files) writeFileSync(join(next, file), content, { flag: 'wx' });
    moveAway(path, old);
    renameSync(next, path);
    for (const entry of readdirSync(parent))
      if (/\.(next|old)-[0-9a-f]{8}$/.test(entry) && entry.startsWith(`${name}.`))
        rmSync(join(parent, entry), { recursive: true, force: true });
  } catch (cause) {
    throw new LoadoutError('cannot-write', `cannot write the folder ${path} (${errorCode(cause) || cause})`, {
      subject: path,
      hint: 'check its permissions and the free space',
      cause,
    });
  }
}

/** Gives a file or folder another name; false when there is nothing of that name. */
export function moveAway(path: string, to: string): boolean {
  try {
    renameSync(path, to);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
