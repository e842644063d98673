import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { errorCode } from '../error-code.ts';
import { createFolders } from './make-folder.ts';

/**
 * Makes a folder hold exactly these files. Whoever looks meanwhile, or after a crash, sees all of the old ones, all of
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
