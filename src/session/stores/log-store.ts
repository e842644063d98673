// A store of tool results in one append-only file. Records of results, renewals and removals follow each other;
// opening the file replays them.

import { createHash } from 'node:crypto';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type AppendFile, openAppendFile } from '../../platform/fs/append-file.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';
import {
  checkArguments,
  either,
  FUNCTION,
  objectWith,
  required,
  TEXT,
} from '../../schema/check-arguments.ts';
import { resultId } from '../describe-result.ts';
import type { ToolResultHandle, ToolResultStore } from '../tool-result-store.ts';
import { createIndexedStore, readHandle, type StoreOptions } from './indexed-store.ts';

/** Where the bytes of a result are in the file. */
interface Place {
  readonly handle: ToolResultHandle;
  readonly bodyAt: number;
}

/** The options of every store, and when the file is rewritten. */
export interface LogStoreOptions extends StoreOptions {
  /** Bytes of removed results that may stay in the file before it is rewritten without them. */
  readonly maxDeadBytes?: number;
}

/** 64 MiB. */
const MAX_DEAD_BYTES = 64 * 1024 * 1024;
const NOTHING = Buffer.alloc(0);

const FILE = objectWith('an opened AppendFile', {
  append: FUNCTION,
  read: FUNCTION,
  truncate: FUNCTION,
  close: FUNCTION,
});
const PLACE = required(either('the path of a file, or an opened AppendFile', TEXT, FILE));

/**
 * The embedded database: one file that only grows, and an index of it in memory. A record that a crash left
 * unfinished at the end is cut off when the file is opened; a damaged one in the middle costs itself alone.
 * A path is locked until the store is closed; a caller that passes a file makes sure that it is the only writer.
 */
export function openLogStore(path: string, options?: LogStoreOptions): ToolResultStore;
export function openLogStore(file: AppendFile, options?: LogStoreOptions): ToolResultStore;
export function openLogStore(place: string | AppendFile, options: LogStoreOptions = {}): ToolResultStore {
  checkArguments('openLogStore', { place }, { place: PLACE });
  const file = typeof place === 'string' ? openLockedAppendFile(place) : place;
  try {
    return openLog(file, options);
  } catch (error) {
    if (typeof place === 'string') file.close();
    throw error;
  }
}

/** The store over an open file. */
function openLog(file: AppendFile, options: LogStoreOptions): ToolResultStore {
  const { maxDeadBytes = MAX_DEAD_BYTES } = options;
  const places = new Map<string, Place>();
  let live = 0;
  recover(file, places);
  for (const { handle } of places.values()) live += handle.size;

  // Returns where the record begins.
  const append = (record: Buffer): number => {
    const at = file.size;
    try {
      file.append(record);
    } catch (error) {
      // half a record in front of the next one would have to be searched over at every opening
      file.truncate(at);
      throw error;
    }
    return at;
  };
  const write = (handle: ToolResultHandle, bytes: Buffer) => {
    const record = encodeRecord('put', handle, bytes);
    const at = append(record);
    places.set(handle.id, { handle, bodyAt: at + record.length - bytes.length });
  };
  // Rewriting costs as much as the live bytes, so at least as many dead ones must go.
  const compactWhenWorthIt = () => {
    const dead = file.size - live;
    if (dead > maxDeadBytes && dead > live) compact(file, places);
  };

  return createIndexedStore(
    {
      known: [...places.values()].map(({ handle }) => handle),
      write(handle, bytes) {
        write(handle, bytes);
        live += bytes.length;
        compactWhenWorthIt();
      },
      renew(handle, bytes) {
        const place = places.get(handle.id);
        const kept = place === undefined ? null : file.read(place.bodyAt, place.handle.size);
        if (place === undefined || !kept?.equals(bytes)) {
          write(handle, bytes);
          return;
        }
        append(encodeRecord('renew', handle, NOTHING));
        places.set(handle.id, { ...place, handle });
      },
      read(id) {
        const place = places.get(id);
        return place === undefined ? null : file.read(place.bodyAt, place.handle.size);
      },
      remove(id) {
        const place = places.get(id);
        if (place === undefined) return;
        append(encodeRecord('remove', place.handle, NOTHING));
        places.delete(id);
        live -= place.handle.size;
        compactWhenWorthIt();
      },
      close: () => file.close(),
    },
    options,
  );
}

/** Replays the file. A damaged record in the middle is skipped, one at the end is cut off. */
function recover(file: AppendFile, places: Map<string, Place>): void {
  let at = 0;
  while (at < file.size) {
    const record = readRecord(file, at);
    if (record !== null && isWhole(file, record)) {
      replay(places, record);
      at = record.end;
      continue;
    }
    const next = findRecord(file, at + 1);
    if (next === null) {
      file.truncate(at);
      return;
    }
    at = next;
  }
}

/** Bodies are checked when they are asked for; only the last one can be the work of a crash. */
function isWhole(file: AppendFile, { kind, handle, bodyAt, end }: LogRecord): boolean {
  if (kind !== 'put' || end < file.size) return true;
  const body = file.read(bodyAt, handle.size);
  return body !== null && resultId(handle.tool, handle.mime, body) === handle.id;
}

/** Applies one record to the places. */
function replay(places: Map<string, Place>, { kind, handle, bodyAt }: LogRecord): void {
  const place = places.get(handle.id);
  if (kind === 'put') places.set(handle.id, { handle, bodyAt });
  else if (kind === 'remove') places.delete(handle.id);
  else if (place !== undefined) places.set(handle.id, { ...place, handle });
}

/** Bytes that are searched at a time for the next record. */
const SEARCH_BYTES = 1024 * 1024;

/** Where the next record begins that can be read; null when there is none. */
function findRecord(file: AppendFile, from: number): number | null {
  for (let start = from; start < file.size; start += SEARCH_BYTES) {
    const length = Math.min(SEARCH_BYTES + RECORD_MAGIC.length - 1, file.size - start);
    const bytes = file.read(start, length);
    if (bytes === null) continue;
    for (let at = bytes.indexOf(RECORD_MAGIC); at !== -1; at = bytes.indexOf(RECORD_MAGIC, at + 1)) {
      if (readRecord(file, start + at) !== null) return start + at;
    }
  }
  return null;
}

/** Rewrites the file with the live results alone, in their order. */
function compact(file: AppendFile, places: Map<string, Place>): void {
  const kept = [...places.values()].sort((one, other) => one.handle.order - other.handle.order);
  const moved = new Map<string, Place>();
  let size = 0;
  const records = function* (): Generator<Buffer> {
    for (const { handle, bodyAt } of kept) {
      const body = file.read(bodyAt, handle.size);
      if (body === null) continue;
      const record = encodeRecord('put', handle, body);
      moved.set(handle.id, { handle, bodyAt: size + record.length - body.length });
      size += record.length;
      yield record;
    }
  };
  file.replace(records());
  places.clear();
  for (const [id, place] of moved) places.set(id, place);
}

/**
 * A file that no other store can open until it is closed. The lock of a process that has died is taken over,
 * so that a crash leaves nothing to clear up.
 */
function openLockedAppendFile(path: string): AppendFile {
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

/** A record begins with these bytes; a control character in front makes them rare in texts. */
const RECORD_MAGIC = Buffer.from('\u0001LDTL1\n', 'latin1');
const PUT = 1;
const RENEW = 2;
const REMOVE = 3;
const KINDS = { put: PUT, renew: RENEW, remove: REMOVE } as const;
/** Magic, kind, length of the handle, checksum of everything before the body. */
const HEAD = RECORD_MAGIC.length + 1 + 4 + 8;
const MAX_HANDLE = 16_384;

/** A record that was read, without its body. */
interface LogRecord {
  readonly kind: keyof typeof KINDS;
  readonly handle: ToolResultHandle;
  readonly bodyAt: number;
  /** Where the next record begins. */
  readonly end: number;
}

/** `renew` and `remove` have no body. */
function encodeRecord(kind: keyof typeof KINDS, handle: ToolResultHandle, body: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(handle), 'utf8');
  const head = Buffer.alloc(HEAD);
  RECORD_MAGIC.copy(head);
  head[RECORD_MAGIC.length] = KINDS[kind];
  head.writeUInt32LE(json.length, RECORD_MAGIC.length + 1);
  checkOf(KINDS[kind], json).copy(head, HEAD - 8);
  return Buffer.concat([head, json, body]);
}

/** The record at an offset, its body within the file but not looked at; null when there is none. */
function readRecord(file: AppendFile, at: number): LogRecord | null {
  if (at + HEAD > file.size) return null;
  const head = file.read(at, HEAD);
  if (head === null || !head.subarray(0, RECORD_MAGIC.length).equals(RECORD_MAGIC)) return null;
  const number = head[RECORD_MAGIC.length]!;
  const length = head.readUInt32LE(RECORD_MAGIC.length + 1);
  if (length > MAX_HANDLE || at + HEAD + length > file.size) return null;
  const json = file.read(at + HEAD, length);
  if (json === null || !checkOf(number, json).equals(head.subarray(HEAD - 8))) return null;
  const kind = number === PUT ? 'put' : number === RENEW ? 'renew' : number === REMOVE ? 'remove' : null;
  const handle = readHandle(json.toString('utf8'));
  if (kind === null || handle === null) return null;
  const bodyAt = at + HEAD + length;
  const end = kind === 'put' ? bodyAt + handle.size : bodyAt;
  return end <= file.size ? { kind, handle, bodyAt, end } : null;
}

/** Eight bytes of a hash over kind and handle. Bodies are checked by the id of the result. */
function checkOf(kind: number, json: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(kind)).update(json).digest().subarray(0, 8);
}
