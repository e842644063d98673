// Keeps the beginning and the end of a stream.

/** How much of a stream is kept: its beginning and its end. */
export interface OutputLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const NEW_LINE = 10;

/**
 * The beginning and the end of a stream of any length, in bounded memory. The end is copied into one buffer: pieces that
 * were kept as they came would outlive the collector's nursery by the thousand.
 */
export class KeptOutput {
  readonly #limits: OutputLimits;
  readonly #head: Buffer[] = [];
  #tail = Buffer.alloc(0);
  #headSize = 0;
  #tailSize = 0;
  #received = 0;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  /** Bytes between the beginning and the end that were dropped. */
  get omittedBytes(): number {
    return this.#received - this.#headSize - Math.min(this.#tailSize, this.#limits.tailBytes);
  }

  add(chunk: Buffer): void {
    this.#received += chunk.length;
    const room = this.#limits.headBytes - this.#headSize;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part);
      this.#headSize += part.length;
    }
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length > 0) this.#addToTail(rest);
  }

  /** There is room for twice the tail, so that it is moved to the front once for every tail that comes. */
  #addToTail(rest: Buffer): void {
    const { tailBytes } = this.#limits;
    const part = rest.subarray(Math.max(0, rest.length - tailBytes));
    const needed = this.#tailSize + part.length;
    if (needed > 2 * tailBytes) {
      const kept = Math.max(0, tailBytes - part.length);
      this.#tail.copy(this.#tail, 0, this.#tailSize - kept, this.#tailSize);
      this.#tailSize = kept;
    } else if (needed > this.#tail.length) {
      const larger = Buffer.allocUnsafe(Math.min(2 * tailBytes, Math.max(needed, 2 * this.#tail.length)));
      this.#tail.copy(larger, 0, 0, this.#tailSize);
      this.#tail = larger;
    }
    part.copy(this.#tail, this.#tailSize);
    this.#tailSize += part.length;
  }

  /**
   * Where something is left out both sides are cut at a line, so that a reader of lines meets whole ones; a line that
   * is longer than what is kept comes without its beginning.
   */
  bytes(): Buffer {
    const head = Buffer.concat(this.#head);
    const tail = this.#tail.subarray(Math.max(0, this.#tailSize - this.#limits.tailBytes), this.#tailSize);
    if (this.omittedBytes === 0) return Buffer.concat([head, tail]);
    const end = tail.indexOf(NEW_LINE) + 1;
    const begin = head.subarray(0, head.lastIndexOf(NEW_LINE) + 1);
    return Buffer.concat([begin, tail.subarray(end)]);
  }
}
