import { Lines, numberedLines } from './line-blocks.ts';
import { lowerInPlace, queryWords } from './query-words.ts';

/** Lines in a passage: enough to read a hit in its surroundings. */
const PASSAGE_LINES = 6;
/** A word that stands everywhere says little, and counting all its places costs time. */
const MOST_HITS = 2_000;

interface Passage {
  readonly at: number;
  readonly score: number;
}

/** The passages of a text that answer best to a query, in the order of the text; empty when no word occurs. */
export function relevantLines(text: string, query: string, limit: number): string {
  const lines = new Lines(text);
  const lower = lowerInPlace(text);
  const scores = new Map<number, number>();
  for (const word of queryWords(query)) {
    const passages = passagesWith(lines, lower, word);
    // rare words weigh more; a second occurrence in a passage adds nothing
    const weight = Math.log(1 + lines.count / PASSAGE_LINES / Math.max(1, passages.size));
    for (const passage of passages) scores.set(passage, (scores.get(passage) ?? 0) + weight);
  }
  const best = [...scores]
    .map(([at, score]): Passage => ({ at, score }))
    .sort((one, other) => other.score - one.score || one.at - other.at);
  return fill(lines, best, limit);
}

function passagesWith(lines: Lines, lower: string, word: string): Set<number> {
  const found = new Set<number>();
  let hits = 0;
  for (
    let at = lower.indexOf(word);
    at !== -1 && hits < MOST_HITS;
    at = lower.indexOf(word, at + word.length)
  ) {
    found.add(Math.floor(lines.lineAt(at) / PASSAGE_LINES));
    hits += 1;
  }
  return found;
}

function fill(lines: Lines, best: readonly Passage[], limit: number): string {
  let chosen: number[] = [];
  let shown = '';
  let used = 0;
  for (const { at } of best) {
    const first = at * PASSAGE_LINES;
    const wanted = Array.from(
      { length: Math.min(PASSAGE_LINES, lines.count - first) },
      (_, line) => first + line,
    );
    const whole = numberedLines(lines, wanted, Number.POSITIVE_INFINITY);
    // two more characters and a line for the gap around it
    if (used + whole.length + 4 > limit) {
      if (chosen.length === 0) shown = numberedLines(lines, wanted, limit);
      continue;
    }
    used += whole.length + 4;
    chosen = [...chosen, ...wanted].sort((one, other) => one - other);
  }
  return chosen.length === 0 ? shown : numberedLines(lines, chosen, limit);
}
