/** Size of the table: small enough for a fast cache, large enough that capitals and small letters keep apart. */
const TABLE_BITS = 18;
const MASK = (1 << TABLE_BITS) - 1;
const SHIFT = TABLE_BITS / 3;
/** Characters; for longer texts there is no place to keep. */
const MOST_KEPT = 1_000_000;

/** An anchor with what hangs on it. */
export interface Anchored<T> {
  readonly anchor: string;
  readonly values: readonly T[];
}

function hashOf(anchor: string): number {
  let hash = 0;
  for (let at = 0; at < 3; at++) hash = ((hash << SHIFT) ^ anchor.charCodeAt(at)) & MASK;
  return hash;
}

/**
 * Finds many fixed texts in one pass: a rolling hash over three characters says where one may begin. An
 * alternation in a regular expression does the same at a quarter of the speed.
 */
export class AnchorSearch<T> {
  readonly #maybe = new Uint8Array(MASK + 1);
  readonly #slots = new Uint16Array(MASK + 1);
  readonly #byHash: { anchor: string; bytes: Buffer; values: T[] }[][] = [];
  #scratch = Buffer.alloc(64 * 1024);

  add(anchor: string, value: T): void {
    const hash = hashOf(anchor);
    if (this.#maybe[hash] === 0) this.#slots[hash] = this.#byHash.push([]) - 1;
    this.#maybe[hash] = 1;
    const slot = this.#byHash[this.#slots[hash]!]!;
    const known = slot.find((one) => one.anchor === anchor);
    if (known === undefined) slot.push({ anchor, bytes: Buffer.from(anchor), values: [value] });
    else known.values.push(value);
  }

  /** Calls `visit` for every anchor in order; it returns where to go on, or 0 for the next character. */
  each(text: string, visit: (at: number, found: Anchored<T>) => number): void {
    const maybe = this.#maybe;
    const bytes = this.#bytesOf(text);
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = ((hash << SHIFT) ^ bytes[at]!) & MASK;
      if (maybe[hash] === 0) continue;
      for (const found of this.#byHash[this.#slots[hash]!]!) {
        const start = at - 2;
        if (start < 0 || !holds(bytes, start, found.bytes) || !text.startsWith(found.anchor, start)) continue;
        const next = visit(start, found);
        if (next <= at) continue;
        at = next - 1;
        hash = 0;
        break;
      }
    }
  }

  /** A byte for each character, in the same place: bytes are read several times as fast. Wide characters lose bits. */
  #bytesOf(text: string): Buffer {
    if (this.#scratch.length < text.length) {
      if (text.length > MOST_KEPT) return Buffer.from(text, 'latin1');
      this.#scratch = Buffer.alloc(text.length);
    }
    this.#scratch.write(text, 'latin1');
    return this.#scratch;
  }
}

function holds(bytes: Buffer, start: number, anchor: Buffer): boolean {
  for (let at = 0; at < anchor.length; at++) if (bytes[start + at] !== anchor[at]) return false;
  return true;
}
