// A store of tool results with a file for each of them.

import { CacheFolder } from '../../platform/cache/cache-folder.ts';
import { wallClockMs } from '../../platform/clock.ts';
import { checkArguments, required, TEXT } from '../../schema/check-arguments.ts';
import { RESULT_ID, type ToolResultHandle, type ToolResultStore } from '../tool-result-store.ts';
import { createIndexedStore, readHandle, type StoreOptions } from './indexed-store.ts';

const ENDING = '.result';
/** Magic, version, and the length of the handle. */
const MAGIC = Buffer.from('LDTR1\n');
const HEAD = MAGIC.length + 4;
/** In bytes; a larger handle is damage. */
const MAX_HANDLE = 16_384;
/** Drafts of a process that died; younger ones may still be written. */
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * One file for each result, written whole under another name and then renamed: after a crash a result is there
 * or it is not. Several processes may share the folder: each finds by id what the others keep, and lists what was
 * there when it began and what it has put itself.
 */
export function openFileStore(path: string, options: StoreOptions = {}): ToolResultStore {
  checkArguments('openFileStore', { path }, { path: required(TEXT) });
  const folder = new CacheFolder(path);
  const write = (handle: ToolResultHandle, bytes: Uint8Array) =>
    folder.write(`${handle.id}${ENDING}`, encode(handle, bytes));
  const read = (id: string) => readContent(folder, `${id}${ENDING}`);
  return createIndexedStore(
    {
      known: readFolder(folder),
      write,
      renew: write,
      read,
      find: (id) => (RESULT_ID.test(id) ? readFileHandle(folder, id + ENDING) : null),
      remove: (id) => folder.remove(`${id}${ENDING}`),
      close: () => {},
    },
    options,
  );
}

/** Magic, length of the handle, handle, bytes. */
function encode(handle: ToolResultHandle, bytes: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(handle), 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(json.length);
  return Buffer.concat([MAGIC, length, json, bytes]);
}

/** The handles in a folder. Old drafts are removed on the way. */
function readFolder(folder: CacheFolder): ToolResultHandle[] {
  const found: ToolResultHandle[] = [];
  for (const name of folder.list()) {
    if (name.endsWith('.tmp')) {
      const changed = folder.changedAt(name);
      if (changed !== null && wallClockMs() - changed > ABANDONED_AFTER_MS) folder.remove(name);
    }
    if (!name.endsWith(ENDING)) continue;
    const handle = readFileHandle(folder, name);
    if (handle !== null) found.push(handle);
  }
  return found;
}

/** A damaged or foreign file stays where it is, and is not a result. */
function readFileHandle(folder: CacheFolder, name: string): ToolResultHandle | null {
  return readFile(folder, name, ({ handle }) => (name === handle.id + ENDING ? handle : null));
}

function readContent(folder: CacheFolder, name: string): Buffer | null {
  return readFile(folder, name, ({ handle, start, read }) => read(start, handle.size));
}

/** A file that is open: its handle, and how to read its bytes. */
interface OpenResult {
  readonly handle: ToolResultHandle;
  readonly start: number;
  readonly read: (offset: number, length: number) => Buffer | null;
}

/** Opens a file, checks that handle and size agree, and closes it after `use`. */
function readFile<T>(folder: CacheFolder, name: string, use: (result: OpenResult) => T | null): T | null {
  const range = folder.open(name);
  if (range === null) return null;
  try {
    const head = range.size < HEAD ? null : range.read(0, HEAD);
    if (head === null || !head.subarray(0, MAGIC.length).equals(MAGIC)) return null;
    const length = head.readUInt32LE(MAGIC.length);
    if (length > MAX_HANDLE || HEAD + length > range.size) return null;
    const handle = readHandle(range.read(HEAD, length)?.toString('utf8') ?? '');
    if (handle === null || HEAD + length + handle.size !== range.size) return null;
    return use({ handle, start: HEAD + length, read: (offset, size) => range.read(offset, size) });
  } finally {
    range.close();
  }
}
