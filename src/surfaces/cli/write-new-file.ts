import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { errorCode } from '../../platform/error-code.ts';
import { writeFileAtomic } from '../../platform/fs/atomic-file.ts';
import { makeFolderInside } from '../../platform/fs/make-folder.ts';
import type { SafeRoot } from '../../platform/fs/safe-root.ts';

/** Below the root: complete or not at all, and never over a file that someone else has just put there. */
export function writeNewFile(root: SafeRoot, path: string, text: string): void {
  const folder = dirname(path);
  if (root.contain(path) !== path) {
    const message = `${folder} is reached through a link, and nothing is written there`;
    throw new LoadoutError('path-outside-root', message, { subject: folder });
  }
  const target = `${makeFolderInside(root.path, folder)}${path.slice(folder.length)}`;
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

export function alreadyThere(path: string): LoadoutError {
  return new LoadoutError('already-there', `${path} is there already, and it is not overwritten`, {
    subject: path,
    hint: 'choose another name, or edit the file',
  });
}
