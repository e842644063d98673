import { isFiller } from '../../model/stop-words.ts';
import type { Keyword, SymbolMention, TaskWord, TaskZone } from '../../model/task-analysis.ts';
import { wordParts } from '../../model/word-parts.ts';

/** How much a word says by where it stands. */
const ZONE_WEIGHT: Readonly<Record<TaskZone, number>> = {
  title: 1,
  lead: 0.55,
  prose: 0.35,
  code: 0.15,
  trace: 0.12,
  boilerplate: 0.03,
};

/** Behind the most telling ones come only words that everything has. */
const MOST_KEYWORDS = 200;

/** A part of a compound word says less than the word. */
const PART_WEIGHT = 0.5;

/** A name written as code is what the task is about. */
const NAME_FACTOR = 1.6;

/** In each zone the last new word counts this much less than the first. */
const POSITION_LOSS = 0.4;

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words by weight: zone, place in the zone, how often, and whether they are written as a name. */
export function taskKeywords(words: readonly TaskWord[], symbols: readonly SymbolMention[]): Keyword[] {
  const names = new Set<string>();
  for (const { name, qualifiers, form } of symbols) {
    if (form !== 'capitalized') for (const segment of [name, ...qualifiers]) names.add(segment);
  }
  const perZone = new Map<TaskZone, number>();
  for (const { zone } of words) perZone.set(zone, (perZone.get(zone) ?? 0) + 1);

  const weights = new Map<string, number>();
  const seen = new Map<TaskZone, number>();
  for (const { word, zone, count } of words) {
    const place = seen.get(zone) ?? 0;
    seen.set(zone, place + 1);
    const position = 1 - (POSITION_LOSS * place) / perZone.get(zone)!;
    const weight = ZONE_WEIGHT[zone] * position * (1 + Math.log(count)) * (names.has(word) ? NAME_FACTOR : 1);
    const [whole, ...parts] = wordParts(word);
    // a run of a script without spaces is a sentence: only its pairs are words
    const isSentence = parts.length > 1 && UNSPACED.test(word);
    if (whole !== undefined && !isSentence) raise(weights, whole, weight);
    for (const part of parts) raise(weights, part, isSentence ? weight : weight * PART_WEIGHT);
  }
  const best = [...weights]
    .filter(([word]) => isTelling(word))
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_KEYWORDS);
  const highest = best[0]?.[1] ?? 1;
  return best.map(([word, weight]) => ({ word, weight: weight / highest }));
}

function raise(weights: Map<string, number>, word: string, by: number): void {
  weights.set(word, (weights.get(word) ?? 0) + by);
}

function isTelling(word: string): boolean {
  if (isFiller(word) || /^\p{N}+$/u.test(word)) return false;
  return word.length > 1 || UNSPACED.test(word);
}
