/** A growing byte buffer with variable-length integers: seven bits a byte, low bits first. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + extra));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  varint(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  text(value: string): void {
    this.#reserve(value.length * 3);
    this.#length += this.#bytes.write(value, this.#length, 'utf8');
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** A few bytes at a time: a loop beats the call that a view would cost. */
  copy(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    for (let at = start; at < end; at++) this.#bytes[this.#length++] = source[at]!;
  }

  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Reads what `ByteWriter` wrote; `at` may be set to any place. */
export class ByteReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}
