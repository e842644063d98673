/** Size of the table: small enough for the fastest cache. */
const TABLE_BITS = 15;
const MASK = (1 << TABLE_BITS) - 1;
const SHIFT = TABLE_BITS / 3;

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
  readonly #byHash = new Map<number, { anchor: string; values: T[] }[]>();

  add(anchor: string, value: T): void {
    const hash = hashOf(anchor);
    const slot = this.#byHash.get(hash) ?? [];
    const known = slot.find((one) => one.anchor === anchor);
    if (known === undefined) slot.push({ anchor, values: [value] });
    else known.values.push(value);
    this.#byHash.set(hash, slot);
    this.#maybe[hash] = 1;
  }

  /** Calls `visit` for every anchor in order; it returns where to go on, or 0 for the next character. */
  each(text: string, visit: (at: number, found: Anchored<T>) => number): void {
    const maybe = this.#maybe;
    let hash = 0;
    for (let at = 0; at < text.length; at++) {
      hash = ((hash << SHIFT) ^ text.charCodeAt(at)) & MASK;
      if (maybe[hash] === 0) continue;
      for (const found of this.#byHash.get(hash)!) {
        const start = at - 2;
        if (start < 0 || !text.startsWith(found.anchor, start)) continue;
        const next = visit(start, found);
        if (next <= at) continue;
        at = next - 1;
        hash = 0;
        break;
      }
    }
  }
}
