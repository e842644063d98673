import type { StoredPassage } from '../../model/knowledge-store.ts';
import { type AppendFile, openAppendFile } from '../../platform/fs/append-file.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';
import { encodeRecord, readRecords } from './vector-records.ts';
import type { VectorShelf } from './vector-shelf.ts';

/** Beyond this the older half of a file is dropped. */
export const MOST_BYTES = 256_000_000;

/**
 * Vectors of one repository and model in a file that only grows: a crash costs the records that were being written.
 * Whoever cannot have the lock goes on without keeping what it made.
 */
export function openVectorFile(path: string, mostBytes = MOST_BYTES): VectorShelf {
  const kept = new Map<string, readonly StoredPassage[]>();
  /** Up to here the file has been read and is whole. */
  let checked = 0;
  const catchUp = (file: AppendFile) => {
    // another process may have made the file anew
    if (file.size < checked) checked = 0;
    const unread = file.read(checked, file.size - checked) ?? Buffer.alloc(0);
    for (const { key, passages, bytes } of readRecords(unread)) {
      kept.set(key, passages);
      checked += bytes.length;
    }
  };
  withFile(path, catchUp);
  return {
    get: (key) => kept.get(key) ?? null,
    put: (entries) => {
      const fresh = entries.filter(([key]) => !kept.has(key));
      if (fresh.length === 0) return;
      for (const [key, passages] of fresh) kept.set(key, passages);
      const lock = tryLock(`${path}.lock`);
      if (!lock) return;
      try {
        withFile(path, (file) => {
          catchUp(file);
          // what a crash has left behind the last whole record would hide everything after it
          if (checked < file.size) file.truncate(checked);
          const added = Buffer.concat(fresh.map(([key, passages]) => encodeRecord(key, passages)));
          if (checked + added.length > mostBytes) file.replace([...newest(file, mostBytes / 2), added]);
          else file.append(added);
          checked = file.size;
        });
      } finally {
        lock.release();
      }
    },
  };
}

function withFile(path: string, use: (file: AppendFile) => void): void {
  const file = openAppendFile(path);
  try {
    use(file);
  } finally {
    file.close();
  }
}

function newest(file: AppendFile, most: number): readonly Buffer[] {
  const records = [...readRecords(file.read(0, file.size) ?? Buffer.alloc(0))];
  let size = 0;
  let first = records.length;
  while (first > 0 && size + records[first - 1]!.bytes.length <= most) size += records[--first]!.bytes.length;
  return records.slice(first).map(({ bytes }) => bytes);
}
