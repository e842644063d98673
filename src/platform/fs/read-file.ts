// Reads files of the user and of Loadout, and hashes contents as git does.

import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { LoadoutError } from '../../model/loadout-error.ts';
import { encodePath } from './path-codec.ts';

/** A FIFO is opened at once instead of waiting for its other end, and then refused. */
export const OPEN_TO_READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Reads a whole regular file and follows links. For files of the user and of Loadout. A pipe, a device or a file that is
 * over its limit is an error. Files of a repository are read through `SafeRoot` alone.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  const descriptor = openSync(encodePath(path), OPEN_TO_READ);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile())
      throw new LoadoutError('not-a-regular-file', `${path} is not a regular file`, { subject: path });
    if (stats.size > maxBytes)
      throw new LoadoutError(
        'too-large',
        `${path} has ${stats.size} bytes; at most ${maxBytes} bytes are read`,
        { subject: path },
      );
    const bytes = Buffer.allocUnsafe(stats.size);
    let filled = 0;
    for (let got = 1; filled < bytes.length && got > 0; filled += got)
      got = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
    return bytes.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}

/** 40 hex digits, the same as git's blob id, so that what git knows about a file can be compared with it. */
export function contentHash(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
