import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  writeSync,
} from 'node:fs';
import type { AppendFile } from './append-file.ts';

/** The file system behind the log store. */
export function openAppendFile(path: string): AppendFile {
  let descriptor = openSync(path, 'a+', 0o600);
  let size = fstatSync(descriptor).size;
  return {
    get size() {
      return size;
    },
    append(bytes) {
      for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
      fsyncSync(descriptor);
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
      const next = openSync(temporary, 'w', 0o600);
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
