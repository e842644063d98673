import { crc32 } from 'node:zlib';

const PAGE_BYTES = 1 << 16;

/** The checksum of each page of a section. */
export function pageChecksums(bytes: Uint8Array): Uint32Array {
  const sums = new Uint32Array(Math.ceil(bytes.length / PAGE_BYTES));
  for (let page = 0; page < sums.length; page++)
    sums[page] = crc32(bytes.subarray(page * PAGE_BYTES, (page + 1) * PAGE_BYTES));
  return sums;
}

/** A long section of which few places are wanted: read and checked page by page, as somebody asks for them. */
export class PagedSection {
  /** What `need` has been called for is there; what lies between is not. */
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
    // the system gives memory as it is written to: pages that nobody asks for cost none
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.#sums = sums;
    this.#isThere = new Uint8Array(sums.length);
    this.#read = read;
    this.#onDamage = onDamage;
  }

  need(start: number, end: number): void {
    if (end <= start) return;
    const last = Math.floor((end - 1) / PAGE_BYTES);
    for (let page = Math.floor(start / PAGE_BYTES); page <= last; page++)
      if (this.#isThere[page] === 0) this.#load(page, last);
  }

  /** From a page on to the next one that is there already. */
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
