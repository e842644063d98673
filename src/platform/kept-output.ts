/** How much of a stream is kept: its beginning and its end. */
export interface OutputLimits {
  readonly headBytes: number;
  readonly tailBytes: number;
}

const NEW_LINE = 10;

/** The beginning and the end of a stream of any length, in bounded memory. */
export class KeptOutput {
  readonly #limits: OutputLimits;
  readonly #head: Buffer[] = [];
  #tail: Buffer[] = [];
  #headSize = 0;
  #tailSize = 0;
  #omitted = 0;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  /** Bytes between the beginning and the end that nobody has any more. */
  get omittedBytes(): number {
    return this.#omitted;
  }

  add(chunk: Buffer): void {
    const room = this.#limits.headBytes - this.#headSize;
    if (room > 0) {
      const part = chunk.subarray(0, room);
      this.#head.push(part);
      this.#headSize += part.length;
    }
    const rest = chunk.subarray(Math.max(0, room));
    if (rest.length === 0) return;
    this.#tail.push(rest);
    this.#tailSize += rest.length;
    let surplus = 0;
    for (const old of this.#tail) {
      if (this.#tailSize - old.length < this.#limits.tailBytes) break;
      this.#tailSize -= old.length;
      this.#omitted += old.length;
      surplus += 1;
    }
    if (surplus > 0) this.#tail = this.#tail.slice(surplus);
  }

  /**
   * Where something is left out both sides are cut at a line, so that a reader of lines meets whole ones; a line that
   * is longer than what is kept comes without its beginning.
   */
  bytes(): Buffer {
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#omitted === 0) return Buffer.concat([head, tail]);
    const end = tail.indexOf(NEW_LINE) + 1;
    const begin = head.subarray(0, head.lastIndexOf(NEW_LINE) + 1);
    return Buffer.concat([begin, tail.subarray(end)]);
  }
}
