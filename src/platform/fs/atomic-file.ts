// Writes a file so that readers see the old content or the new one, never a part, also after a crash.

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';

/** Hints for users, by the code of the system error. */
const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: free some space',
  EDQUOT: 'the disk quota is used up: free some space',
  EROFS: 'the file system is read-only: choose another place',
  EACCES: 'check the permissions of the folder',
  EPERM: 'check the permissions of the folder',
  ENOENT: 'create the folder first',
  EISDIR: 'there is a folder of this name: choose another',
};

/** The hint for a file that cannot be written. */
export function writeHint(code: string): { hint?: string } {
  return HINTS[code] === undefined ? {} : { hint: HINTS[code] };
}

/** The mode of files that other users of the machine should not read. */
export const OWNER_ONLY = 0o600;

/**
 * Replaces the content of a file. After an error or a crash at any moment the path still holds the old content. Without
 * `mode` the file keeps its mode.
 */
export function writeFileAtomic(path: string, data: Buffer | string, mode: number | null = null): void {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
  const folder = dirname(path);
  const temporary = join(
    folder,
    `.${basename(path).slice(0, 100)}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`,
  );
  try {
    writeDurably(temporary, bytes, mode ?? existingMode(path));
    renameSync(temporary, path);
    syncFolder(folder);
  } catch (error) {
    removeQuietly(temporary);
    const code = errorCode(error) || String(error);
    throw new LoadoutError('cannot-write', `cannot write ${bytes.length} bytes to ${path} (${code})`, {
      subject: path,
      ...writeHint(code),
      cause: error,
    });
  }
}

/** On disk when it returns. The mode is set explicitly, because the umask may take bits away. */
function writeDurably(path: string, bytes: Buffer, mode: number | null): void {
  const descriptor = openSync(path, 'wx', mode ?? 0o666);
  try {
    if (mode !== null) fchmodSync(descriptor, mode);
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Null when there is no such file yet. */
function existingMode(path: string): number | null {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? null : stats.mode & 0o777;
  } catch {
    return null;
  }
}

/** Makes the rename itself survive a power cut; some systems cannot sync a folder, and then nothing is lost. */
function syncFolder(folder: string): void {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch {
    // The new content is in place either way.
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** The temporary file may be gone already. */
function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first error is the one to report.
  }
}
