import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { LoadoutError } from '../model/loadout-error.ts';
import { writeFileAtomic } from './atomic-file.ts';

/** Bytes of an open file by range. The structural type of `store`'s reader, so that neither imports the other. */
export interface OpenRange {
  readonly size: number;
  read(offset: number, length: number): Buffer | null;
  close(): void;
}

/** A folder of ours in the cache directory: plain names in, no path can lead out of it. */
export class CacheFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    try {
      mkdirSync(path, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw new LoadoutError(
        'cache-unwritable',
        `cannot create the cache folder ${path}: ${(cause as Error).message}`,
        {
          subject: path,
          hint: 'set LOADOUT_CACHE_DIR to a folder that can be written',
          cause,
        },
      );
    }
  }

  filePath(name: string): string {
    return join(this.path, name);
  }

  open(name: string): OpenRange | null {
    let descriptor: number;
    try {
      descriptor = openSync(this.filePath(name), 'r');
    } catch {
      return null;
    }
    return {
      size: fstatSync(descriptor).size,
      read: (offset, length) => readExactly(descriptor, offset, length),
      close: () => closeSync(descriptor),
    };
  }

  readAll(name: string): Buffer | null {
    const range = this.open(name);
    if (!range) return null;
    try {
      return range.read(0, range.size);
    } finally {
      range.close();
    }
  }

  write(name: string, data: Buffer | string): void {
    writeFileAtomic(this.filePath(name), data);
  }

  /** Writes a file in pieces under its final name only once it is whole and on disk. */
  writeChunks(name: string, chunks: readonly Buffer[]): void {
    const path = this.filePath(name);
    const temporary = `${path}.${process.pid}.tmp`;
    let bytes = 0;
    try {
      const descriptor = openSync(temporary, 'w', 0o600);
      try {
        for (const chunk of chunks) bytes += writeAll(descriptor, chunk);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, path);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw new LoadoutError(
        'cannot-write',
        `cannot write ${path} (${bytes} bytes written): ${(cause as Error).message}`,
        {
          subject: path,
          hint: 'free some space, or set LOADOUT_CACHE_DIR to another disk',
          cause,
        },
      );
    }
  }

  list(): readonly string[] {
    try {
      return readdirSync(this.path).sort();
    } catch {
      return [];
    }
  }

  /** Milliseconds since the epoch at which the file was last written or touched; null when it is gone. */
  changedAt(name: string): number | null {
    return statSync(this.filePath(name), { throwIfNoEntry: false })?.mtimeMs ?? null;
  }

  touch(name: string, timeMs: number): void {
    try {
      utimesSync(this.filePath(name), timeMs / 1000, timeMs / 1000);
    } catch {
      // a hint for cleaning up, nothing more
    }
  }

  remove(name: string): void {
    rmSync(this.filePath(name), { force: true, recursive: true });
  }
}

function writeAll(descriptor: number, chunk: Buffer): number {
  for (let at = 0; at < chunk.length; ) at += writeSync(descriptor, chunk, at, chunk.length - at);
  return chunk.length;
}

function readExactly(descriptor: number, offset: number, length: number): Buffer | null {
  if (!Number.isSafeInteger(offset) || offset < 0 || length < 0) return null;
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let at = 0; at < length; ) {
    const got = readSync(descriptor, bytes, at, length - at, offset + at);
    if (got === 0) return null;
    at += got;
  }
  return bytes;
}
