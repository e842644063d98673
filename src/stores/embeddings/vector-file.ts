// The cache of vectors: one append-only file for a repository and a model, or memory. Each record has a length
// and a checksum, so that a damaged end is found and cut off.

import { crc32 } from 'node:zlib';
import type { StoredPassage } from '../../model/knowledge-store.ts';
import { type AppendFile, openAppendFile } from '../../platform/fs/append-file.ts';
import { tryLock } from '../../platform/fs/file-lock.ts';

/** Beyond this the older half of a file is dropped. */
const MAX_BYTES = 256_000_000;

/**
 * Vectors of one repository and model in a file that only grows: a crash costs the records that were being written.
 * A process that does not get the lock continues without keeping its vectors.
 */
export function openVectorFile(path: string, mostBytes = MAX_BYTES): VectorCache {
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
          // bytes that a crash left after the last whole record would hide every later record
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

/** Opens the file for one use. It is not kept open: other processes write it too. */
function withFile(path: string, use: (file: AppendFile) => void): void {
  const file = openAppendFile(path);
  try {
    use(file);
  } finally {
    file.close();
  }
}

/** The last whole records that fit into `most` bytes. */
function newest(file: AppendFile, most: number): readonly Buffer[] {
  const records = [...readRecords(file.read(0, file.size) ?? Buffer.alloc(0))];
  let size = 0;
  let first = records.length;
  while (first > 0 && size + records[first - 1]!.bytes.length <= most) size += records[--first]!.bytes.length;
  return records.slice(first).map(({ bytes }) => bytes);
}

/** Length and checksum of what follows. */
const HEAD_BYTES = 8;
/** The key is 40 hex digits. */
const KEY_BYTES = 40;
/** First line, last line and scale; the codes follow. */
const PASSAGE_BYTES = 12;
/** In bytes. A larger length is damage. */
const MAX_RECORD = 64_000_000;

/** The passages of one content as bytes that show when they are damaged or cut off. */
function encodeRecord(key: string, passages: readonly StoredPassage[]): Buffer {
  const size = passages[0]?.vector.codes.length ?? 0;
  const body = Buffer.alloc(KEY_BYTES + 4 + passages.length * (PASSAGE_BYTES + size));
  body.write(key, 0, KEY_BYTES, 'latin1');
  body.writeUInt32LE(size, KEY_BYTES);
  let at = KEY_BYTES + 4;
  for (const { startLine, endLine, vector } of passages) {
    body.writeUInt32LE(startLine, at);
    body.writeUInt32LE(endLine, at + 4);
    body.writeFloatLE(vector.scale, at + 8);
    body.set(new Uint8Array(vector.codes.buffer, vector.codes.byteOffset, size), at + PASSAGE_BYTES);
    at += PASSAGE_BYTES + size;
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length, 0);
  head.writeUInt32LE(crc32(body), 4);
  return Buffer.concat([head, body]);
}

/** One record as it was read, with its own bytes for copying. */
interface VectorRecord {
  readonly key: string;
  readonly passages: readonly StoredPassage[];
  readonly bytes: Buffer;
}

/** All whole records from the beginning; stops where one is not what was written. */
function* readRecords(bytes: Buffer): Generator<VectorRecord> {
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    const end = at + HEAD_BYTES + length;
    if (length < KEY_BYTES + 4 || length > MAX_RECORD || end > bytes.length) return;
    const body = bytes.subarray(at + HEAD_BYTES, end);
    if (crc32(body) !== bytes.readUInt32LE(at + 4)) return;
    yield { ...decodeBody(body), bytes: bytes.subarray(at, end) };
    at = end;
  }
}

/** The body is whole: its checksum was compared before. */
function decodeBody(body: Buffer): { readonly key: string; readonly passages: readonly StoredPassage[] } {
  const size = body.readUInt32LE(KEY_BYTES);
  const passages: StoredPassage[] = [];
  for (let at = KEY_BYTES + 4; at < body.length; at += PASSAGE_BYTES + size) {
    const codes = new Int8Array(body.buffer, body.byteOffset + at + PASSAGE_BYTES, size);
    passages.push({
      startLine: body.readUInt32LE(at),
      endLine: body.readUInt32LE(at + 4),
      vector: { codes, scale: body.readFloatLE(at + 8) },
    });
  }
  return { key: body.toString('latin1', 0, KEY_BYTES).trimEnd(), passages };
}

/** Keeps the passages of a content with their vectors. It may forget some; they are then made again. */
export interface VectorCache {
  /** Null: not there; an empty list: there is nothing to find in this content. */
  get(key: string): readonly StoredPassage[] | null;
  put(entries: readonly (readonly [key: string, passages: readonly StoredPassage[]])[]): void;
}

/** A cache that lives as long as the process. */
export function memoryVectorCache(): VectorCache {
  const kept = new Map<string, readonly StoredPassage[]>();
  return {
    get: (key) => kept.get(key) ?? null,
    put: (entries) => {
      for (const [key, passages] of entries) kept.set(key, passages);
    },
  };
}
