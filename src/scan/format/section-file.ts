import { crc32 } from 'node:zlib';

/**
 * A file of named sections, written once and never changed. Each section has a checksum, and so has the directory at
 * the end: damage is noticed when bytes are read, and damaged bytes are never taken for content.
 *
 *     sections… (each 8-byte aligned) | directory (JSON) | tail: directory offset, length, checksum, magic
 */
const MAGIC = 0x4c4f4144;
const TAIL_BYTES = 24;
export const ALIGNMENT = 8;

/** Where a section is, and the CRC-32 of its bytes. */
type Placement = readonly [offset: number, length: number, checksum: number];

/** The table of contents at the end of the file. */
interface Directory {
  readonly format: number;
  readonly sections: Readonly<Record<string, Placement>>;
}

/** Bytes of a file by range; null when the file cannot give them. */
export interface RangeReader {
  readonly size: number;
  read(offset: number, length: number): Buffer | null;
  close(): void;
}

/** A stored file is damaged. The index is derived data, so the answer is to rebuild it. */
export class DamagedFileError extends Error {
  override readonly name = 'DamagedFileError';
}

/** The same memory, as bytes. */
function bytesOf(data: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/**
 * Lays sections out as a file. Sections named in `paged` also get a checksum for each page, because readers want only a
 * few places of them.
 */
export function writeSections(
  format: number,
  sections: Readonly<Record<string, Uint8Array | Uint32Array>>,
  paged: readonly string[] = [],
): Buffer[] {
  const chunks: Buffer[] = [];
  // Without a prototype, so that a section may have any name, `__proto__` included.
  const placed: Record<string, Placement> = Object.create(null);
  let offset = 0;
  const pages = paged.map((name) => [pagesOf(name), pageChecksums(bytesOf(sections[name]!))] as const);
  for (const [name, data] of [...Object.entries(sections), ...pages]) {
    const bytes = bytesOf(data);
    placed[name] = [offset, bytes.length, crc32(bytes)];
    const padding = (ALIGNMENT - (bytes.length % ALIGNMENT)) % ALIGNMENT;
    chunks.push(bytes, Buffer.alloc(padding));
    offset += bytes.length + padding;
  }
  const directory = Buffer.from(JSON.stringify({ format, sections: placed } satisfies Directory));
  const tail = Buffer.alloc(TAIL_BYTES);
  tail.writeDoubleLE(offset, 0);
  tail.writeUInt32LE(directory.length, 8);
  tail.writeUInt32LE(crc32(directory), 12);
  tail.writeUInt32LE(crc32(tail.subarray(0, 16)), 16);
  tail.writeUInt32LE(MAGIC, 20);
  chunks.push(directory, tail);
  return chunks;
}

const pagesOf = (name: string): string => `${name}Pages`;

/** Reads the named sections of an index file. Each section is checked against its checksum before its first use. */
export class SectionFile {
  readonly #reader: RangeReader;
  readonly #sections: ReadonlyMap<string, Placement>;

  constructor(reader: RangeReader, format: number) {
    this.#reader = reader;
    const directory = readDirectory(reader);
    if (directory.format !== format)
      throw new DamagedFileError(`format ${directory.format}, expected ${format}`);
    this.#sections = new Map(Object.entries(directory.sections));
  }

  get names(): readonly string[] {
    return [...this.#sections.keys()];
  }

  /** A whole section, checked. */
  section(name: string): Buffer {
    const placement = this.#sections.get(name);
    if (!placement) throw new DamagedFileError(`no section "${name}"`);
    const [offset, length, checksum] = placement;
    const bytes = this.#reader.read(offset, length);
    if (!bytes || bytes.length !== length || crc32(bytes) !== checksum)
      throw new DamagedFileError(`section "${name}" does not match its checksum`);
    return bytes;
  }

  /** A section of 32-bit numbers, without a copy where it is aligned. */
  numbers(name: string): Uint32Array {
    const bytes = this.section(name);
    if (bytes.byteOffset % 4 === 0) return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    return new Uint32Array(Uint8Array.from(bytes).buffer);
  }

  floats(name: string): Float64Array {
    const bytes = this.section(name);
    if (bytes.byteOffset % 8 === 0) return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
    return new Float64Array(Uint8Array.from(bytes).buffer);
  }

  /** A section that was written in pages. */
  paged(name: string): PagedSection {
    const placement = this.#sections.get(name);
    if (!placement) throw new DamagedFileError(`no section "${name}"`);
    return new PagedSection(
      placement[1],
      this.numbers(pagesOf(name)),
      (offset, length) => this.range(name, offset, length),
      (page) => {
        throw new DamagedFileError(`page ${page} of "${name}" does not match its checksum`);
      },
    );
  }

  /** A part of a section. The caller checks it, because the checksum of the section covers the whole. */
  range(name: string, offset: number, length: number): Buffer {
    const placement = this.#sections.get(name);
    const bytes = placement && this.#reader.read(placement[0] + offset, length);
    if (!bytes || bytes.length !== length) throw new DamagedFileError(`section "${name}" is cut off`);
    return bytes;
  }

  close(): void {
    this.#reader.close();
  }
}

function readDirectory(reader: RangeReader): Directory {
  const tail = reader.size >= TAIL_BYTES ? reader.read(reader.size - TAIL_BYTES, TAIL_BYTES) : null;
  if (!tail || tail.length !== TAIL_BYTES || tail.readUInt32LE(20) !== MAGIC)
    throw new DamagedFileError('the end of the file is missing');
  if (tail.readUInt32LE(16) !== crc32(tail.subarray(0, 16)))
    throw new DamagedFileError('the tail is damaged');
  const start = tail.readDoubleLE(0);
  const length = tail.readUInt32LE(8);
  const bytes = isRange(start, length, reader.size) ? reader.read(start, length) : null;
  if (!bytes || bytes.length !== length || crc32(bytes) !== tail.readUInt32LE(12))
    throw new DamagedFileError('the directory is damaged');
  const directory = parseDirectory(bytes.toString('utf8'));
  const placed = Object.values(directory?.sections ?? {});
  if (!directory || !placed.every(([offset, size]) => isRange(offset, size, start)))
    throw new DamagedFileError('the directory does not say where the sections are');
  return directory;
}

function isRange(offset: number, length: number, end: number): boolean {
  return (
    Number.isSafeInteger(offset) &&
    Number.isSafeInteger(length) &&
    offset >= 0 &&
    length >= 0 &&
    offset + length <= end
  );
}

/**
 * Null when it is not a directory. A checksum proves that the bytes are those that were written, not that they make sense.
 */
function parseDirectory(text: string): Directory | null {
  try {
    const directory = JSON.parse(text) as Partial<Directory> | null;
    const { sections } = directory ?? {};
    const isOne =
      typeof sections === 'object' && sections !== null && Object.values(sections).every(Array.isArray);
    return isOne ? (directory as Directory) : null;
  } catch {
    return null;
  }
}

/** 64 KiB: few checksums, and little to read for one word. */
const PAGE_BYTES = 1 << 16;

/** The checksum of each page of a section. */
function pageChecksums(bytes: Uint8Array): Uint32Array {
  const sums = new Uint32Array(Math.ceil(bytes.length / PAGE_BYTES));
  for (let page = 0; page < sums.length; page++)
    sums[page] = crc32(bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  return sums;
}

/** A long section of which little is needed. Its pages are read and checked when they are first used. */
export class PagedSection {
  /** Only ranges that `need` was called for are valid. The rest is uninitialized. */
  readonly bytes: Buffer;
  readonly #sums: Uint32Array;
  readonly #isThere: Uint8Array;
  readonly #read: (offset: number, length: number) => Buffer;
  readonly #onDamage: (page: number) => never;

  constructor(
    length: number,
    sums: Uint32Array,
    read: (offset: number, length: number) => Buffer,
    onDamage: (page: number) => never,
  ) {
    // The system provides memory on the first write, so pages that are never read cost nothing.
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.#sums = sums;
    this.#isThere = new Uint8Array(sums.length);
    this.#read = read;
    this.#onDamage = onDamage;
  }

  /** Makes sure that a range is loaded and checked. */
  need(start: number, end: number): void {
    if (end <= start) return;
    const last = Math.floor((end - 1) / PAGE_BYTES);
    for (let page = Math.floor(start / PAGE_BYTES); page <= last; page++)
      if (this.#isThere[page] === 0) this.#load(page, last);
  }

  /** Loads from a page up to the next one that is loaded already. */
  #load(first: number, last: number): void {
    let end = first + 1;
    while (end <= last && this.#isThere[end] === 0) end++;
    const from = first * PAGE_BYTES;
    const found = this.#read(from, Math.min(end * PAGE_BYTES, this.bytes.length) - from);
    const sums = pageChecksums(found);
    for (let page = first; page < end; page++)
      if (sums[page - first] !== this.#sums[page]) this.#onDamage(page);
    found.copy(this.bytes, from);
    this.#isThere.fill(1, first, end);
  }
}
