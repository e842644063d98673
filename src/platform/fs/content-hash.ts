import { createHash } from 'node:crypto';

/** 40 hex digits, the same as git's blob id, so that what git knows about a file can be compared with it. */
export function contentHash(bytes: Buffer): string {
  return createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}
