import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { LoadoutError } from '../../model/loadout-error.ts';

/** A file that grows at its end. One process at a time may write it. */
export interface AppendFile {
  readonly size: number;
  /**
   * On disk when it returns, unless the caller can do without that; after an error or a crash the file may end in a
   * part of the bytes.
   */
  append(bytes: Buffer, durably?: boolean): void;
  /** Null when the file does not hold that range. */
  read(offset: number, length: number): Buffer | null;
  truncate(size: number): void;
  /** The file holds these bytes instead, or, after an error or a crash, what it held before. */
  replace(chunks: Iterable<Buffer>): void;
  close(): void;
}

/** Opens or creates such a file, readable by its owner alone. */
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
