import { crc32 } from 'node:zlib';
import type { StoredPassage } from '../../model/knowledge-store.ts';

/** Length and checksum of what follows. */
const HEAD_BYTES = 8;
const KEY_BYTES = 40;
const PASSAGE_BYTES = 12;
const LARGEST_RECORD = 64_000_000;

/** The passages of one content as bytes that tell when they are damaged or cut off. */
export function encodeRecord(key: string, passages: readonly StoredPassage[]): Buffer {
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

export interface VectorRecord {
  readonly key: string;
  readonly passages: readonly StoredPassage[];
  readonly bytes: Buffer;
}

/** All whole records from the beginning; stops where one is not what was written. */
export function* readRecords(bytes: Buffer): Generator<VectorRecord> {
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const length = bytes.readUInt32LE(at);
    const end = at + HEAD_BYTES + length;
    if (length < KEY_BYTES + 4 || length > LARGEST_RECORD || end > bytes.length) return;
    const body = bytes.subarray(at + HEAD_BYTES, end);
    if (crc32(body) !== bytes.readUInt32LE(at + 4)) return;
    yield { ...decodeBody(body), bytes: bytes.subarray(at, end) };
    at = end;
  }
}

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
