import { mkdirSync, realpathSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { isInsideRoot } from './inside-root.ts';
import { encodePath } from './path-codec.ts';

/**
 * Creates a folder and those above it, level by level. Node's own way never ends where a folder exists and takes no
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

/** For records that other users of the machine should not see. */
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
    // not ours to remove, or a folder that holds something else
  }
}
