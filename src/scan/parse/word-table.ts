// The vocabulary of a segment: a hash table of words over arrays of numbers.
import type { Vocabulary } from '../../model/parsed-file.ts';

/** A slot without a word, and a word that is not worth keeping. */
const EMPTY = -1;
const REJECTED = -2;

const ONLY_DIGITS = /^[0-9]+$/;
const HEXADECIMAL = /^(?=(?:.*[0-9]){2})[0-9a-fA-F]{6,}$/;

/** Ids, hashes and long numbers are left out: tasks do not name them, and data files are full of them. */
function worthKeeping(word: string): boolean {
  if (word.length === 1) return word > '9';
  if (word.length >= 6 && HEXADECIMAL.test(word)) return false;
  return word.length <= 6 || !ONLY_DIGITS.test(word);
}

/** One step of the FNV hash. Callers compute it while they look at the characters of a word. */
export function hashStep(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

export const HASH_START = 0x811c9dc5 | 0;

/**
 * The fields of a slot: the hash of the word, where its characters begin in the pool, their number, and the id of the
 * word.
 */
const SLOT = { hash: 0, start: 1, length: 2, id: 3, size: 4, shift: 2 } as const;

/**
 * Distinct words by number. A lookup compares characters in place: cutting millions of short strings out of files, only
 * to find that they are known, took a third of the time for words.
 */
export class WordTable implements Vocabulary {
  readonly words: string[] = [];
  /** Open addressing. Words that are not worth keeping have a slot, too. */
  #slots = emptySlots(1 << 13);
  #used = 0;
  /** The characters of all words, one after the other. */
  #pool = new Uint16Array(1 << 16);
  #pooled = 0;

  /** Number of the word at `[start, end)` of a text, given its hash; negative when it is not worth keeping. */
  idAt(codes: Uint16Array, start: number, end: number, hash: number): number {
    const slots = this.#slots;
    const pool = this.#pool;
    const length = end - start;
    const mask = slots.length - 1;
    for (let slot = (hash << SLOT.shift) & mask; ; slot = (slot + SLOT.size) & mask) {
      const id = slots[slot + SLOT.id]!;
      if (id === EMPTY) return this.#insert(codes, start, end, hash, slot);
      if (slots[slot + SLOT.hash] !== hash || slots[slot + SLOT.length] !== length) continue;
      const known = slots[slot + SLOT.start]!;
      let at = 0;
      while (at < length && pool[known + at] === codes[start + at]) at++;
      if (at === length) return id;
    }
  }

  idOf(word: string): number | undefined {
    let hash = HASH_START;
    for (let at = 0; at < word.length; at++) hash = hashStep(hash, word.charCodeAt(at));
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash << SLOT.shift) & mask; ; slot = (slot + SLOT.size) & mask) {
      const id = slots[slot + SLOT.id]!;
      if (id === EMPTY) return undefined;
      if (id >= 0 && slots[slot + SLOT.hash] === hash && this.words[id] === word) return id;
    }
  }

  #insert(codes: Uint16Array, start: number, end: number, hash: number, slot: number): number {
    // A copy. A slice would keep the whole text in memory as long as the word.
    const word = String.fromCharCode.apply(null, codes.subarray(start, end) as unknown as number[]);
    const id = worthKeeping(word) ? this.words.push(word) - 1 : REJECTED;
    const length = end - start;
    if (this.#pooled + length > this.#pool.length) this.#pool = widened(this.#pool);
    this.#pool.set(codes.subarray(start, end), this.#pooled);
    this.#slots[slot + SLOT.hash] = hash;
    this.#slots[slot + SLOT.start] = this.#pooled;
    this.#slots[slot + SLOT.length] = length;
    this.#slots[slot + SLOT.id] = id;
    this.#pooled += length;
    if (++this.#used * SLOT.size * 2 >= this.#slots.length) this.#grow();
    return id;
  }

  /** Doubles the table when it is half full. */
  #grow(): void {
    const old = this.#slots;
    const slots = emptySlots((old.length / SLOT.size) * 2);
    const mask = slots.length - 1;
    for (let from = 0; from < old.length; from += SLOT.size) {
      if (old[from + SLOT.id] === EMPTY) continue;
      let slot = (old[from + SLOT.hash]! << SLOT.shift) & mask;
      while (slots[slot + SLOT.id] !== EMPTY) slot = (slot + SLOT.size) & mask;
      for (let at = 0; at < SLOT.size; at++) slots[slot + at] = old[from + at]!;
    }
    this.#slots = slots;
  }
}

function emptySlots(count: number): Int32Array<ArrayBuffer> {
  return new Int32Array(count * SLOT.size).fill(EMPTY);
}

function widened(from: Uint16Array): Uint16Array<ArrayBuffer> {
  const to = new Uint16Array(from.length * 2);
  to.set(from);
  return to;
}
