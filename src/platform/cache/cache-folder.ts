// A folder of the cache directory. Indexes, leases of work trees and stores of results are kept in such folders.
// A file that cannot be read is null; a file that cannot be written is an error with a hint.

import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, LoadoutError } from '../../model/loadout-error.ts';
import { writeFileAtomic } from '../fs/atomic-file.ts';
import { createFolders } from '../fs/make-folder.ts';
import { OPEN_TO_READ } from '../fs/read-file.ts';

/** Reads an open file by range. It has the shape of the reader in `scan/format`, so that neither imports the other. */
export interface OpenRange {
  readonly size: number;
  read(offset: number, length: number): Buffer | null;
  close(): void;
}

/** A folder in Loadout's cache directory. It takes plain names only, so no path leads out of it. */
export class CacheFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    try {
      createFolders(path, 0o700);
    } catch (cause) {
      throw cacheError('cache-unwritable', `cannot create the cache folder ${path}`, path, cause);
    }
  }

  /** The path of a file in it; for locks and messages. */
  filePath(name: string): string {
    return join(this.path, name);
  }

  /** Opens a regular file for reading by range; null when it is not a regular file or cannot be opened. */
  open(name: string): OpenRange | null {
    let descriptor: number;
    let size: number;
    try {
      descriptor = openSync(this.filePath(name), OPEN_TO_READ);
      const stats = fstatSync(descriptor);
      size = stats.isFile() ? stats.size : -1;
    } catch {
      return null;
    }
    if (size < 0) {
      closeSync(descriptor);
      return null;
    }
    return {
      size,
      read: (offset, length) => readExactly(descriptor, offset, length),
      close: () => closeSync(descriptor),
    };
  }

  /** A whole file; null when it is missing or damaged. */
  readAll(name: string): Buffer | null {
    const range = this.open(name);
    if (!range) return null;
    try {
      return range.read(0, range.size);
    } finally {
      range.close();
    }
  }

  /** Replaces a file as a whole. */
  write(name: string, data: Buffer | string): void {
    try {
      writeFileAtomic(this.filePath(name), data);
    } catch (error) {
      const path = this.filePath(name);
      const cause = error instanceof LoadoutError ? error.cause : error;
      throw cacheError('cannot-write', `cannot write ${path}`, path, cause);
    }
  }

  /**
   * Writes a file in pieces, and gives it its final name only once it is whole and on disk. With `syncLater` the caller must not
   * rely on the file before `sync`: until then a power cut may leave the name without the content.
   */
  writeChunks(name: string, chunks: readonly Buffer[], { syncLater = false } = {}): void {
    const path = this.filePath(name);
    const temporary = `${path}.${process.pid}.tmp`;
    let bytes = 0;
    try {
      rmSync(temporary, { force: true });
      const descriptor = openSync(temporary, 'wx', 0o600);
      try {
        for (const chunk of chunks) bytes += writeAll(descriptor, chunk);
        if (!syncLater) fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, path);
    } catch (cause) {
      removeQuietly(temporary);
      throw cacheError('cannot-write', `cannot write ${path} (${bytes} bytes written)`, path, cause);
    }
  }

  /** Waits until the content of a file is on disk; any process may have written it. */
  async sync(name: string): Promise<void> {
    const path = this.filePath(name);
    try {
      const file = await open(path, 'r+');
      try {
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (cause) {
      throw cacheError('cannot-write', `cannot write ${path}`, path, cause);
    }
  }

  /** Names of everything inside, sorted; empty when the folder cannot be read. */
  list(): readonly string[] {
    try {
      return readdirSync(this.path).sort();
    } catch {
      return [];
    }
  }

  /** Milliseconds since the epoch at which the file was last written or touched; null when it is gone. */
  changedAt(name: string): number | null {
    try {
      return lstatSync(this.filePath(name)).mtimeMs;
    } catch {
      return null;
    }
  }

  /** Sets the time that `changedAt` gives. */
  touch(name: string, timeMs: number): void {
    try {
      utimesSync(this.filePath(name), timeMs / 1000, timeMs / 1000);
    } catch {
      // a hint for cleaning up, nothing more
    }
  }

  /** Removes a file. A file that cannot be removed stays until the next clean-up. */
  remove(name: string): void {
    removeQuietly(this.filePath(name));
  }

  /** Names of the folders inside, links to folders left out. */
  folders(): readonly string[] {
    try {
      const entries = readdirSync(this.path, { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
    } catch {
      return [];
    }
  }

  /** Removes the folder when nothing is left in it. */
  removeIfEmpty(): void {
    try {
      rmdirSync(this.path);
    } catch {
      // files of another program, or of a writer that came in between
    }
  }
}

/** Hints by the code of the system error. */
const IN_THE_WAY = 'something else is in its place: remove it, or set LOADOUT_CACHE_DIR to another folder';
const UNWRITABLE = 'set LOADOUT_CACHE_DIR to a folder that can be written';
const FULL = 'free some space, or set LOADOUT_CACHE_DIR to another disk';
const HINTS: Readonly<Record<string, string>> = {
  EISDIR: IN_THE_WAY,
  ENOTDIR: IN_THE_WAY,
  EEXIST: IN_THE_WAY,
  ENOTEMPTY: IN_THE_WAY,
  ENOSPC: FULL,
  EDQUOT: FULL,
};

/** The error with its code, its path and the hint for it. */
function cacheError(code: string, what: string, path: string, cause: unknown): LoadoutError {
  const why = errorCode(cause) || String(cause);
  return new LoadoutError(code, `${what} (${why})`, { subject: path, hint: HINTS[why] ?? UNWRITABLE, cause });
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // a folder in place of a file, or no permission: nothing that a scan depends on
  }
}

/** A write may take a part of the bytes only. */
function writeAll(descriptor: number, chunk: Buffer): number {
  for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at, chunk.length - at);
  return chunk.length;
}

/** Null when the file ends before the range does. */
function readExactly(descriptor: number, offset: number, length: number): Buffer | null {
  if (!Number.isSafeInteger(offset) || offset < 0 || length < 0) return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const got = readQuietly(descriptor, bytes, at, offset + at);
    if (got === 0) return null;
    at += got;
  }
  return bytes;
}

function readQuietly(descriptor: number, bytes: Buffer, at: number, offset: number): number {
  try {
    return readSync(descriptor, bytes, at, bytes.length - at, offset);
  } catch {
    // a bad sector is damage like any other
    return 0;
  }
}
