import type { SymbolMention } from '../../model/task-analysis.ts';
import type { Corpus } from './corpus.ts';
import { rarity } from './score-terms.ts';

/** A name that a task mentions, as written, with the files that have it. */
export interface FoundUse {
  readonly name: string;
  /** Rarity times what the place of the mention counts. */
  readonly gain: number;
  /** How often each file has it. */
  readonly files: ReadonlyMap<number, number>;
}

const ZONE_WEIGHT: Readonly<Record<SymbolMention['zone'], number>> = {
  title: 1.5,
  lead: 1,
  prose: 1,
  code: 0.5,
  trace: 0.5,
  boilerplate: 0,
};
/** The third use in a file says little more than the second. */
const SATURATION = 1.5;
/** A pasted log names thousands of things. */
const MOST_NAMES = 100;

/** Where the names of a task stand, whoever defines them; a capital letter alone makes no name. */
export function findUses(corpus: Corpus, mentions: readonly SymbolMention[]): FoundUse[] {
  const weights = new Map<string, number>();
  for (const { name, form, zone } of mentions) {
    const weight = form === 'capitalized' ? 0 : ZONE_WEIGHT[zone];
    if (weight > 0 && (weights.has(name) || weights.size < MOST_NAMES))
      weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  const found: FoundUse[] = [];
  for (const [name, weight] of weights) {
    const files = filesWith(corpus, name);
    if (files.size > 0) found.push({ name, gain: weight * rarity(corpus.size, files.size), files });
  }
  return found;
}

function filesWith({ index, fileOf }: Corpus, name: string): Map<number, number> {
  const files = new Map<number, number>();
  fileOf.forEach((documents, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(name);
    if (word < 0) return;
    segment.eachPosting(word, (document, count) => {
      const file = documents[document] ?? -1;
      if (file >= 0) files.set(file, (files.get(file) ?? 0) + count);
    });
  });
  return files;
}

/** Files that have the rare ones of these names. */
export function scoreUses(corpus: Corpus, found: readonly FoundUse[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { gain, files } of found)
    for (const [file, count] of files) scores[file]! += (gain * count) / (count + SATURATION);
  return scores;
}
