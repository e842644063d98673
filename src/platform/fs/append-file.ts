// Files that grow at their end: logs that stay (`AppendFile`) and bytes for a moment (`ScratchFile`).

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { LoadoutError } from '../../model/loadout-error.ts';
import { wallClockMs } from '../clock.ts';
import { createFolders } from './make-folder.ts';

/** A FIFO whose other end nobody reads is an error at once, where an ordinary open would wait for a reader. */
const OPEN_TO_APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);

/** Adds text to a file of ours that its owner alone can read. Short texts of several processes do not mix. */
export function appendText(path: string, text: string): void {
  const descriptor = openSync(path, OPEN_TO_APPEND, 0o600);
  try {
    writeFileSync(descriptor, text);
  } finally {
    closeSync(descriptor);
  }
}

/** A file that grows at its end. One process at a time may write it. */
export interface AppendFile {
  readonly size: number;
  /**
   * The bytes are on disk when it returns, unless the caller does not need that. After an error or a crash the file
   * may end in a part of the bytes.
   */
  append(bytes: Buffer, durably?: boolean): void;
  /** Null when the file does not hold that range. */
  read(offset: number, length: number): Buffer | null;
  truncate(size: number): void;
  /** The file holds these bytes instead, or, after an error or a crash, what it held before. */
  replace(chunks: Iterable<Buffer>): void;
  /** Nothing can be read or written after this. */
  close(): void;
}

/** Opens or creates such a file. Only its owner can read it. */
export function openAppendFile(path: string): AppendFile {
  if (typeof path !== 'string')
    throw new LoadoutError('bad-argument', `openAppendFile: path must be a text, not ${typeof path}`, {
      subject: 'path',
    });
  let descriptor = openSync(path, 'a+', 0o600);
  const stats = fstatSync(descriptor);
  if (!stats.isFile()) {
    closeSync(descriptor);
    throw new LoadoutError('not-a-regular-file', `${path} is not a regular file`, { subject: path });
  }
  let size = stats.size;
  return {
    get size() {
      return size;
    },
    append(bytes, durably = true) {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      if (durably) fsyncSync(descriptor);
      size += bytes.length;
    },
    read(offset, length) {
      if (offset < 0 || length < 0 || offset + length > size) return null;
      const bytes = Buffer.allocUnsafeSlow(length);
      for (let at = 0; at < length; ) {
        const count = readSync(descriptor, bytes, at, length - at, offset + at);
        if (count === 0) return null;
        at += count;
      }
      return bytes;
    },
    truncate(to) {
      ftruncateSync(descriptor, to);
      fsyncSync(descriptor);
      size = to;
    },
    replace(chunks) {
      const temporary = `${path}.${process.pid}.tmp`;
      rmSync(temporary, { force: true });
      const next = openSync(temporary, 'wx', 0o600);
      for (const chunk of chunks) for (let at = 0; at < chunk.length; ) at += writeSync(next, chunk, at);
      fsyncSync(next);
      closeSync(next);
      renameSync(temporary, path);
      closeSync(descriptor);
      descriptor = openSync(path, 'a+', 0o600);
      size = fstatSync(descriptor).size;
    },
    close: () => closeSync(descriptor),
  };
}

/** Bytes that are needed again in a moment and are too many for memory. */
export interface ScratchFile {
  /** Where the bytes begin; null when there is no room for them, now and from then on. */
  add(bytes: Uint8Array): number | null;
  read(offset: number, length: number): Buffer | null;
  /** Leaves nothing behind. */
  close(): void;
}

/** Process number and random digits, so that leftovers can be recognised. */
const NAME = /^\d+-[0-9a-f]{12}\.scratch$/;
/** Younger files may belong to a process that is alive. */
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
  // an open file needs no name, and without one it disappears with this process
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
    // Windows does not remove open files; tried again when it is closed
  }
}
