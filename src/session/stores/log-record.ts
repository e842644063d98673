import { createHash } from 'node:crypto';
import type { AppendFile } from '../../platform/fs/append-file.ts';
import type { ToolResultHandle } from '../tool-result.ts';
import { readHandle } from './read-handle.ts';

export const RECORD_MAGIC = Buffer.from('\u0001LDTL1\n', 'latin1');
const PUT = 1;
const RENEW = 2;
const REMOVE = 3;
const KINDS = { put: PUT, renew: RENEW, remove: REMOVE } as const;
/** Magic, kind, length of the handle, check of all that stands before the body. */
const HEAD = RECORD_MAGIC.length + 1 + 4 + 8;
const LONGEST_HANDLE = 16_384;

export interface LogRecord {
  readonly kind: keyof typeof KINDS;
  readonly handle: ToolResultHandle;
  readonly bodyAt: number;
  readonly end: number;
}

/** `renew` and `remove` have no body. */
export function encodeRecord(kind: keyof typeof KINDS, handle: ToolResultHandle, body: Uint8Array): Buffer {
  const json = Buffer.from(JSON.stringify(handle), 'utf8');
  const head = Buffer.alloc(HEAD);
  RECORD_MAGIC.copy(head);
  head[RECORD_MAGIC.length] = KINDS[kind];
  head.writeUInt32LE(json.length, RECORD_MAGIC.length + 1);
  checkOf(KINDS[kind], json).copy(head, HEAD - 8);
  return Buffer.concat([head, json, body]);
}

/** The record at an offset, its body within the file but not looked at; null when there is none. */
export function readRecord(file: AppendFile, at: number): LogRecord | null {
  if (at + HEAD > file.size) return null;
  const head = file.read(at, HEAD);
  if (head === null || !head.subarray(0, RECORD_MAGIC.length).equals(RECORD_MAGIC)) return null;
  const number = head[RECORD_MAGIC.length]!;
  const length = head.readUInt32LE(RECORD_MAGIC.length + 1);
  if (length > LONGEST_HANDLE || at + HEAD + length > file.size) return null;
  const json = file.read(at + HEAD, length);
  if (json === null || !checkOf(number, json).equals(head.subarray(HEAD - 8))) return null;
  const kind = number === PUT ? 'put' : number === RENEW ? 'renew' : number === REMOVE ? 'remove' : null;
  const handle = readHandle(json.toString('utf8'));
  if (kind === null || handle === null) return null;
  const bodyAt = at + HEAD + length;
  const end = kind === 'put' ? bodyAt + handle.size : bodyAt;
  return end <= file.size ? { kind, handle, bodyAt, end } : null;
}

function checkOf(kind: number, json: Buffer): Buffer {
  return createHash('sha256').update(Buffer.of(kind)).update(json).digest().subarray(0, 8);
}
