import { wordParts } from '../../../model/word-parts.ts';
import type { Corpus } from '../corpus.ts';
import { type RankingContext, remember } from '../ranking-context.ts';
import { rarity, type TermWords } from '../search-words.ts';
import { type SignalDefinition, strongestIn } from './signal.ts';

/** The file has a compound of the words of the title, such as `tokenRefresh` for "refresh of the token". */
export const titleCompounds: SignalDefinition = {
  name: 'titleCompounds',
  group: 'lexical',
  isAboutContent: true,
  score: (context) => scoreCompounds(context.corpus, compoundsOf(context)),
  reason: (file, context) => {
    const found = strongestIn(context, compoundsOf(context.ranking), file, ({ word }) => word);
    return `contains ${found || 'something'}, made of words of the title`;
  },
};

const compoundsOf = remember(({ corpus, titleTerms }: RankingContext) => findCompounds(corpus, titleTerms));

/** A written word that is made of several of the task's words, with the files that have it. */
export interface FoundCompound {
  readonly word: string;
  /** What the words of the task count together, times the share of the compound that they cover, times its rarity. */
  readonly gain: number;
  /** How often each file has it. */
  readonly files: ReadonlyMap<number, number>;
}

/** Weaker ones change nothing and take time. */
const MAX_COMPOUNDS = 300;
const SATURATION = 1;

interface Candidate {
  readonly worth: number;
  readonly places: { readonly segment: number; readonly word: number }[];
}

/**
 * Words like `inheritedScopeId` for a task that speaks of inherited scopes: people write with spaces what code
 * writes in one. Strongest first.
 */
export function findCompounds(
  corpus: Corpus,
  terms: readonly { readonly words: TermWords; readonly gain: number }[],
): FoundCompound[] {
  const candidates = new Map<string, Candidate>();
  corpus.fileOf.forEach((_, segment) => {
    const { words } = corpus.index.segment(segment);
    for (const [word, { gain, count }] of matchedWords(segment, terms)) {
      if (count < 2) continue;
      const written = words.at(word);
      const known = candidates.get(written);
      if (known) {
        known.places.push({ segment, word });
        continue;
      }
      // the whole word is one of its parts
      const parts = wordParts(written).length - 1;
      const covered = Math.min(count, parts);
      if (covered < 2) continue;
      candidates.set(written, { worth: (gain * covered) / parts, places: [{ segment, word }] });
    }
  });
  return [...candidates]
    .sort(([a, one], [b, other]) => other.worth - one.worth || (a < b ? -1 : 1))
    .slice(0, MAX_COMPOUNDS)
    .map(([word, { worth, places }]) => {
      const files = filesAt(corpus, places);
      return { word, gain: (worth * rarity(corpus.size, files.size)) / rarity(corpus.size, 1), files };
    });
}

function matchedWords(segment: number, terms: Parameters<typeof findCompounds>[1]) {
  const matched = new Map<number, { gain: number; count: number }>();
  for (const { words: found, gain } of terms) {
    const { words, weights } = found.bySegment[segment]!;
    for (let at = 0; at < words.length; at++) {
      const known = matched.get(words[at]!);
      if (known) {
        known.gain += gain * weights[at]!;
        known.count++;
      } else matched.set(words[at]!, { gain: gain * weights[at]!, count: 1 });
    }
  }
  return matched;
}

function filesAt({ index, fileOf }: Corpus, places: Candidate['places']): Map<number, number> {
  const files = new Map<number, number>();
  for (const { segment, word } of places)
    index.segment(segment).eachPosting(word, (document, count) => {
      const file = fileOf[segment]![document] ?? -1;
      if (file >= 0) files.set(file, (files.get(file) ?? 0) + count);
    });
  return files;
}

export function scoreCompounds(corpus: Corpus, found: readonly FoundCompound[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { gain, files } of found)
    for (const [file, count] of files) scores[file]! += (gain * count) / (count + SATURATION);
  return scores;
}
