/** A growing column of unsigned numbers: a plain array of millions costs three times the memory. */
export class NumberList {
  #values: Uint32Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#values = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  finish(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
