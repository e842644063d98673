import { Lines, numberedLength, numberedLines } from './line-blocks.ts';
import { lowerInPlace, queryWords } from './query-words.ts';

/** Lines in a passage: enough to read a hit in its surroundings. */
const PASSAGE_LINES = 6;
/** A word that stands everywhere says little, and finding all its passages costs time. */
const MOST_PASSAGES = 2_000;

/** Passages in a row of the best that are too long for what is left: a shorter one would come too late. */
const MOST_MISSES = 16;

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
    // rare words weigh more
    const weight = Math.log(1 + lines.count / PASSAGE_LINES / Math.max(1, passages.size));
    for (const passage of passages) scores.set(passage, (scores.get(passage) ?? 0) + weight);
  }
  const best = [...scores]
    .map(([at, score]): Passage => ({ at, score }))
    .sort((one, other) => other.score - one.score || one.at - other.at);
  return fill(lines, best, limit);
}

/** A second occurrence in a passage adds nothing, so the search goes on behind it. */
function passagesWith(lines: Lines, lower: string, word: string): Set<number> {
  const found = new Set<number>();
  for (let at = lower.indexOf(word); at !== -1 && found.size < MOST_PASSAGES; ) {
    const passage = Math.floor(lines.lineAt(at) / PASSAGE_LINES);
    found.add(passage);
    const next = lines.startOf((passage + 1) * PASSAGE_LINES);
    at = next === null ? -1 : lower.indexOf(word, next);
  }
  return found;
}

function fill(lines: Lines, best: readonly Passage[], limit: number): string {
  const chosen: number[] = [];
  let used = 0;
  let misses = 0;
  for (const { at } of best) {
    if (misses >= MOST_MISSES) break;
    const wanted = linesOf(lines, at);
    // four more characters for a gap in front and behind
    const cost = numberedLength(lines, wanted) + 4;
    if (used + cost > limit) {
      misses += 1;
      continue;
    }
    used += cost;
    chosen.push(...wanted);
  }
  if (chosen.length > 0)
    return numberedLines(
      lines,
      chosen.sort((one, other) => one - other),
      limit,
    );
  return best[0] === undefined ? '' : numberedLines(lines, linesOf(lines, best[0].at), limit);
}

function linesOf(lines: Lines, passage: number): number[] {
  const first = passage * PASSAGE_LINES;
  return Array.from({ length: Math.min(PASSAGE_LINES, lines.count - first) }, (_, line) => first + line);
}
