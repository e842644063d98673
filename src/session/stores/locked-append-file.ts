import { LoadoutError } from '../../model/loadout-error.ts';
import { type AppendFile, openAppendFile } from '../../platform/fs/append-file.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';

/**
 * A file that nobody else can open this way until it is closed. The lock of a process that has died is taken over,
 * so that a crash leaves nothing to clear up.
 */
export function openLockedAppendFile(path: string): AppendFile {
  const lock = tryLock(`${path}.lock`);
  if (lock === null) {
    throw new LoadoutError('store-in-use', `${path} is open in another store; one at a time may write it`, {
      subject: path,
      hint: 'close the other store, or use openFileStore, whose folder several processes may share',
    });
  }
  try {
    const file = openAppendFile(path);
    return {
      get size() {
        return file.size;
      },
      append: (bytes, durably) => file.append(bytes, durably),
      read: (offset, length) => file.read(offset, length),
      truncate: (size) => file.truncate(size),
      replace: (chunks) => file.replace(chunks),
      close() {
        try {
          file.close();
        } finally {
          lock.release();
        }
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}
