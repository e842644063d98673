import { createHash } from 'node:crypto';

/** A tracked file with what `lstat` says of it, so that git need not read it to know that it is unchanged. */
export interface IndexedFile {
  readonly path: Buffer;
  readonly blob: string;
  readonly executable: boolean;
  readonly stat: {
    readonly ctimeNs: bigint;
    readonly mtimeNs: bigint;
    readonly dev: bigint;
    readonly ino: bigint;
    readonly uid: bigint;
    readonly gid: bigint;
    readonly size: bigint;
  };
}

const SECOND_NS = 1_000_000_000n;
const LOW_BITS = 0xffff_ffffn;
const LONGEST_NAME = 0xfff;
const FIXED_BYTES = 40;

/** The bytes of a git index, version 2, that lists these files. */
export function encodeGitIndex(files: readonly IndexedFile[]): Buffer {
  const header = Buffer.alloc(12);
  header.write('DIRC', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(files.length, 8);
  const sorted = [...files].sort((a, b) => Buffer.compare(a.path, b.path));
  const body = Buffer.concat([header, ...sorted.map(encodeEntry)]);
  const usesSha256 = (files[0]?.blob.length ?? 40) > 40;
  const checksum = createHash(usesSha256 ? 'sha256' : 'sha1')
    .update(body)
    .digest();
  return Buffer.concat([body, checksum]);
}

function encodeEntry({ path, blob, executable, stat }: IndexedFile): Buffer {
  const id = Buffer.from(blob, 'hex');
  const length = FIXED_BYTES + id.length + 2 + path.length;
  // at least one NUL, and as many as make the length a multiple of eight
  const entry = Buffer.alloc(length + 8 - (length % 8));
  const numbers = [
    stat.ctimeNs / SECOND_NS,
    stat.ctimeNs % SECOND_NS,
    stat.mtimeNs / SECOND_NS,
    stat.mtimeNs % SECOND_NS,
    stat.dev,
    stat.ino,
    executable ? 0o100755n : 0o100644n,
    stat.uid,
    stat.gid,
    stat.size,
  ];
  for (const [at, number] of numbers.entries()) entry.writeUInt32BE(Number(number & LOW_BITS), at * 4);
  id.copy(entry, FIXED_BYTES);
  entry.writeUInt16BE(Math.min(path.length, LONGEST_NAME), FIXED_BYTES + id.length);
  path.copy(entry, FIXED_BYTES + id.length + 2);
  return entry;
}
