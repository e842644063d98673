import { CacheFolder } from '../platform/cache/cache-folder.ts';
import { tryLock } from '../platform/fs/file-lock.ts';
import { folderIsGone } from '../platform/fs/make-folder.ts';
import { INDEX_FORMAT, IndexStore, isIndexFile, WRITER_LOCK } from './format/index.ts';

const DAY_MS = 24 * 3_600_000;
/** An older version of the program may still be in use beside this one; reading leaves no trace. */
const UNUSED_MS = 14 * DAY_MS;
/** A work tree on a disk that is not there today may be back tomorrow. */
const GONE_MS = 7 * DAY_MS;
const MARK = 'last-cleaned';
const FORMAT_FOLDER = /^v\d+\.[0-9a-f]+\.\d+$/;
const INDEX_KEY = /-[0-9a-f]{16}$/;

/**
 * Removes indexes of other formats that have not been written for a while, and snapshots of work trees that no
 * longer exist. At most once a day, only files that are ours by name, and never where a writer is at work.
 */
export function cleanCache(cacheDirectory: string, nowMs: number): void {
  const indexes = new CacheFolder(`${cacheDirectory}/index`);
  const last = indexes.changedAt(MARK);
  if (last !== null && nowMs - last < DAY_MS) return;
  indexes.write(MARK, '');
  indexes.touch(MARK, nowMs);
  for (const format of indexes.folders().filter((name) => FORMAT_FOLDER.test(name))) {
    const formatFolder = new CacheFolder(indexes.filePath(format));
    for (const key of formatFolder.folders().filter((name) => INDEX_KEY.test(name))) {
      const folder = new CacheFolder(formatFolder.filePath(key));
      if (format === INDEX_FORMAT) forgetGone(folder, nowMs);
      else removeUnused(folder, nowMs);
    }
    if (format !== INDEX_FORMAT) formatFolder.removeIfEmpty();
  }
}

function removeUnused(folder: CacheFolder, nowMs: number): void {
  const names = folder.list().filter(isIndexFile);
  if (names.some((name) => nowMs - (folder.changedAt(name) ?? 0) < UNUSED_MS)) return;
  asOnlyWriter(folder, () => {
    for (const name of names) folder.remove(name);
  });
  folder.removeIfEmpty();
}

function forgetGone(folder: CacheFolder, nowMs: number): void {
  const store = new IndexStore(folder);
  const isForgotten = (name: string, root: string) =>
    folderIsGone(root) && nowMs - (folder.changedAt(name) ?? nowMs) > GONE_MS;
  const gone = store.snapshotRoots().filter(([name, root]) => isForgotten(name, root));
  if (gone.length === 0) return;
  asOnlyWriter(folder, () => {
    for (const [name] of gone) folder.remove(name);
    store.collectGarbage(nowMs);
  });
  if (store.snapshotRoots().length === 0) removeUnused(folder, nowMs);
}

function asOnlyWriter(folder: CacheFolder, work: () => void): void {
  const lock = tryLock(folder.filePath(WRITER_LOCK));
  if (!lock) return;
  try {
    work();
  } finally {
    lock.release();
  }
}
