import { wordParts } from '../model/word-parts.ts';

const MOST_WORDS = 4_096;
const MOST_CHARACTERS = 200_000;
const HASH_START = 0x811c9dc5 | 0;
const HASH_STEP = 0x01000193;
const WORD = /[\p{L}\p{N}_]{2,64}/gu;

/** Places for words met lately; a power of two. */
const RECENT = 8_192;

/** The words of a text as sorted numbers: 16 KB at most stand for a result of any size. */
export function wordSketch(text: string): Uint32Array {
  const words = new Set<number>();
  // most words of a text come again: a number that was met lately is not made a string, which is most of the work
  const recent = new Int32Array(RECENT);
  const end = Math.min(text.length, MOST_CHARACTERS);
  let start = 0;
  let hash = HASH_START;
  for (let at = 0; at <= end && words.size < MOST_WORDS; at++) {
    const code = at < end ? text.charCodeAt(at) : 0;
    if (mayBeInWord(code)) {
      hash = Math.imul(hash ^ code, HASH_STEP);
      continue;
    }
    if (at - start > 1 && recent[hash & (RECENT - 1)] !== hash) {
      recent[hash & (RECENT - 1)] = hash;
      addWords(text.slice(start, at), words);
    }
    start = at + 1;
    hash = HASH_START;
  }
  return Uint32Array.from(words).sort().slice(0, MOST_WORDS);
}

function mayBeInWord(code: number): boolean {
  const letter = code | 32;
  return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 || code > 127;
}

function addWords(run: string, words: Set<number>): void {
  for (const [word] of run.matchAll(WORD)) {
    for (const part of wordParts(word)) words.add(numberOf(part));
  }
}

export function sketchHas(sketch: Uint32Array, word: string): boolean {
  const wanted = numberOf(word);
  let low = 0;
  let high = sketch.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (sketch[middle] === wanted) return true;
    if (sketch[middle]! < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/** FNV-1a: two words with one number cost a place in an order, nothing more. */
function numberOf(word: string): number {
  let hash = HASH_START;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), HASH_STEP);
  return hash >>> 0;
}
