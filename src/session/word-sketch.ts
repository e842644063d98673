import { wordParts } from '../model/word-parts.ts';

const MOST_WORDS = 4_096;
const MOST_CHARACTERS = 200_000;
const WORD = /[\p{L}\p{N}_]{2,64}/gu;

/** The words of a text as sorted numbers: 16 KB at most stand for a result of any size. */
export function wordSketch(text: string): Uint32Array {
  const written = new Set<string>();
  for (const [word] of text.slice(0, MOST_CHARACTERS).matchAll(WORD)) {
    written.add(word);
    if (written.size >= MOST_WORDS) break;
  }
  const words = new Set<number>();
  for (const word of written) for (const part of wordParts(word)) words.add(numberOf(part));
  return Uint32Array.from(words).sort().slice(0, MOST_WORDS);
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
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
