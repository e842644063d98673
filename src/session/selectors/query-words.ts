import { isStopWord } from '../../model/stop-words.ts';
import { wordParts } from '../../model/word-parts.ts';

const MAX_WORDS = 32;
const WORD = /[\p{L}\p{N}_]+/gu;

/** The words of a task worth looking for, lower case, each once, in order. */
export function queryWords(text: string): string[] {
  const words = new Set<string>();
  for (const [word] of text.slice(0, 20_000).matchAll(WORD)) {
    for (const part of wordParts(word)) {
      if (part.length > 1 && !isStopWord(part)) words.add(part);
      if (words.size >= MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

/** Lower case with every character in its place; a few letters change their length, and then only ASCII changes. */
export function lowerInPlace(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replace(/[A-Z]+/g, (run) => run.toLowerCase());
}
