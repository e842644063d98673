import type { Vocabulary } from '../model/file-words.ts';

const EMPTY = -1;
const REJECTED = -2;

const ONLY_DIGITS = /^[0-9]+$/;
const HEXADECIMAL = /^(?=(?:.*[0-9]){2})[0-9a-fA-F]{6,}$/;

/** Ids, hashes and long numbers are no words anybody asks for, and data files are full of them. */
function worthKeeping(word: string): boolean {
  if (word.length === 1) return word > '9';
  if (word.length >= 6 && HEXADECIMAL.test(word)) return false;
  return word.length <= 6 || !ONLY_DIGITS.test(word);
}

/** One step of the hash that callers compute while they look at a word's characters. */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export const HASH_START = 0x811c9dc5 | 0;

/**
 * Distinct words by number. Looking one up compares characters where they stand in the text: cutting millions of
 * short strings out of files, only to find that they are known, was a third of the time of a scan's word work.
 */
export class WordTable implements Vocabulary {
  readonly words: string[] = [];
  /** Open addressing: number of the word in each slot. */
  #slots = new Int32Array(1 << 14).fill(EMPTY);
  /** All words met, the rejected ones included, by the number that `#slots` holds. */
  readonly #met: string[] = [];
  #hashes = new Int32Array(1 << 13);
  #ids = new Int32Array(1 << 13);

  /** Number of the word at `[start, end)` of a text, given its hash; negative when it is not worth keeping. */
  idAt(text: string, start: number, end: number, hash: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot]!;
      if (at === EMPTY) return this.#insert(text.slice(start, end), hash, slot);
      if (this.#hashes[at] !== hash) continue;
      const known = this.#met[at]!;
      if (known.length === end - start && text.startsWith(known, start)) return this.#ids[at]!;
    }
  }

  idOf(word: string): number | undefined {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) hash = hashStep(hash, word.charCodeAt(at));
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot]!;
      if (at === EMPTY) return undefined;
      if (this.#met[at] === word) return this.#ids[at] === REJECTED ? undefined : this.#ids[at];
    }
  }

  #insert(word: string, hash: number, slot: number): number {
    const id = worthKeeping(word) ? this.words.push(word) - 1 : REJECTED;
    const at = this.#met.push(word) - 1;
    this.#slots[slot] = at;
    this.#hashes[at] = hash;
    this.#ids[at] = id;
    // the columns are half as long as the slots, so that both are full at once
    if (this.#met.length * 2 >= this.#slots.length) this.#grow();
    return id;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2).fill(EMPTY);
    const mask = slots.length - 1;
    for (let at = 0; at < this.#met.length; at++) {
      let slot = this.#hashes[at]! & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = at;
    }
    this.#slots = slots;
    this.#hashes = widened(this.#hashes);
    this.#ids = widened(this.#ids);
  }
}

function widened(from: Int32Array): Int32Array<ArrayBuffer> {
  const to = new Int32Array(from.length * 2);
  to.set(from);
  return to;
}
