import { wordParts } from '../../model/word-parts.ts';
import { cutText } from './decode-message.ts';

export interface MessageWords {
  /** The first line, fit to be shown. */
  readonly subject: string;
  /** Lower-case part to `inSubject << 4 | inBody`. */
  readonly words: ReadonlyMap<string, number>;
}

const MOST_SUBJECT_CHARACTERS = 200;
/** Four bits each: a tenth occurrence says no more than the ninth. */
const MOST_OCCURRENCES = 15;
const SUBJECT_SHIFT = 4;
/** Longer runs are encoded data, not words. */
const LONGEST_WORD = 64;

const WORD = /[\p{L}\p{M}\p{N}_]+/gu;
/** Lines about people and bookkeeping: `Signed-off-by:`, `Change-Id:`, `PR-URL:`, `git-svn-id:`. */
const TRAILER = /^\s*(?:[a-z]+(?:-[a-z]+)*-(?:by|id|url|to|from)|cc|\(cherry picked from commit)\b/i;
/** What only this commit has: addresses, ids of commits, numbers of issues with the word before them. */
const REFERENCES = [
  /\bhttps?:\/\/\S+/gi,
  /\b(?:(?:fix|clos|resolv)(?:e[sd]?|ing)?|fix(?:es|ed)|refs?|references|see|issue|bug|pr)\b[\s:]*(?:#|gh-)\d+/gi,
  /(?:#|\bgh-)\d+\b/gi,
  /\b(?=[0-9a-f]*\d)[0-9a-f]{7,64}\b/gi,
];
/** Each of them has a digit or is an address. */
const MAY_REFER = /[0-9]|:\/\//;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what has to go
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Splits a message into the words that a task can meet it by. */
export function messageWords(message: string): MessageWords {
  const [first = '', ...rest] = message.replace(/^\s+/, '').split(/\r\n|\n|\r/);
  const words = new Map<string, number>();
  count(words, first, SUBJECT_SHIFT);
  for (const line of rest) if (!TRAILER.test(line)) count(words, line, 0);
  return { subject: shown(first), words };
}

function count(words: Map<string, number>, line: string, shift: number): void {
  let text = line;
  if (MAY_REFER.test(line)) for (const reference of REFERENCES) text = text.replace(reference, ' ');
  for (const word of text.match(WORD) ?? []) {
    if (word.length > LONGEST_WORD) continue;
    for (const part of wordParts(word)) {
      const counts = words.get(part) ?? 0;
      if (((counts >> shift) & MOST_OCCURRENCES) < MOST_OCCURRENCES) words.set(part, counts + (1 << shift));
    }
  }
}

function shown(line: string): string {
  return cutText(line.replace(CONTROLS, ' ').trim(), MOST_SUBJECT_CHARACTERS);
}
