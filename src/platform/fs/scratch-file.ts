import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { wallClockMs } from '../clock.ts';
import { createFolders } from './make-folder.ts';

/** Bytes that are needed again in a moment and are too many for memory. */
export interface ScratchFile {
  /** Where the bytes begin; null when there is no room for them, now and from then on. */
  add(bytes: Uint8Array): number | null;
  read(offset: number, length: number): Buffer | null;
  /** Leaves nothing behind. */
  close(): void;
}

const NAME = /^\d+-[0-9a-f]{12}\.scratch$/;
const LEFT_BEHIND_MS = 24 * 3_600_000;

/** A temporary file that no other process sees; null when the folder cannot be written. */
export function openScratchFile(folder: string): ScratchFile | null {
  const path = join(folder, `${process.pid}-${randomBytes(6).toString('hex')}.scratch`);
  let descriptor: number;
  try {
    createFolders(folder, 0o700);
    removeLeftovers(folder);
    descriptor = openSync(path, 'wx+', 0o600);
  } catch {
    return null;
  }
  // while it is open it needs no name, and without one it is gone whatever happens to this process
  removeQuietly(path);
  let size = 0;
  let isFull = false;
  return {
    add(bytes) {
      if (isFull) return null;
      try {
        for (let at = 0; at < bytes.length; )
          at += writeSync(descriptor, bytes, at, bytes.length - at, size + at);
      } catch {
        isFull = true;
        return null;
      }
      size += bytes.length;
      return size - bytes.length;
    },
    read(offset, length) {
      const bytes = Buffer.allocUnsafe(length);
      try {
        for (let at = 0; at < length; ) {
          const count = readSync(descriptor, bytes, at, length - at, offset + at);
          if (count === 0) return null;
          at += count;
        }
      } catch {
        return null;
      }
      return bytes;
    },
    close() {
      closeSync(descriptor);
      removeQuietly(path);
    },
  };
}

/** Where an open file cannot be removed, a crash leaves it. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!NAME.test(name)) continue;
    const { mtimeMs } = lstatSync(join(folder, name), { throwIfNoEntry: false }) ?? {
      mtimeMs: wallClockMs(),
    };
    if (wallClockMs() - mtimeMs > LEFT_BEHIND_MS) removeQuietly(join(folder, name));
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // still open on a system that minds; tried again when it is closed
  }
}
