import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Git ends its index with a checksum over all of it: 20 bytes, or 32. */
const TAIL_BYTES = 32;

/**
 * Tells whether git's index, and with it the list of tracked files, is the same as at another time, and so are the
 * attributes that are kept beside it; null if that cannot be told.
 */
export function gitIndexState(gitDirectory: string): string | null {
  let descriptor = -1;
  try {
    descriptor = openSync(join(gitDirectory, 'index'), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const { size } = stats;
    const tail = Buffer.alloc(TAIL_BYTES);
    if (readSync(descriptor, tail, 0, TAIL_BYTES, size - TAIL_BYTES) !== TAIL_BYTES) return null;
    // with `index.skipHash` git writes zeros
    if (tail.subarray(-20).every((byte) => byte === 0)) return null;
    const attributes = lstatSync(join(gitDirectory, 'info/attributes'), { throwIfNoEntry: false });
    return `${size} ${tail.toString('hex')} ${attributes ? `${attributes.size} ${attributes.ctimeMs}` : ''}`;
  } catch {
    return null;
  } finally {
    if (descriptor !== -1) closeSync(descriptor);
  }
}
