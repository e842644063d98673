import { mkdirSync, realpathSync } from 'node:fs';
import { LoadoutError } from '../model/loadout-error.ts';
import { isInsideRoot } from './inside-root.ts';

/** Creates a folder and those above it; returns its real path. */
export function makeFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true });
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
export function makeFolderInside(base: string, relative: string): string {
  const path = makeFolder(`${base}/${relative}`);
  if (!isInsideRoot(realpathSync(base), path))
    throw new LoadoutError('path-outside-root', `${base}/${relative} leads out of ${base} through a link`, {
      subject: relative,
      hint: 'remove the link, or choose another folder',
    });
  return path;
}
