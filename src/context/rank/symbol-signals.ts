import type { SegmentView } from '../../model/index-view.ts';
import type { SymbolMention } from '../../model/task-analysis.ts';
import { wordParts } from '../../model/word-parts.ts';
import type { Corpus } from './corpus.ts';
import { eachDefinition, kindWeight } from './definitions.ts';
import type { TermWords } from './term-hits.ts';

/** How much a mention counts by the way it is written. */
const FORM_WEIGHT: Readonly<Record<SymbolMention['form'], number>> = {
  backtick: 1,
  call: 1,
  qualified: 1,
  compound: 0.9,
  capitalized: 0.5,
};
const ZONE_WEIGHT: Readonly<Record<SymbolMention['zone'], number>> = {
  title: 1.5,
  lead: 1.1,
  prose: 1,
  code: 0.5,
  trace: 0.6,
  boilerplate: 0.3,
};

/** A name that a task mentions, with the files that define it. */
export interface FoundDefinition {
  readonly name: string;
  readonly weight: number;
  readonly definers: readonly { readonly file: number; readonly kind: number; readonly symbol: number }[];
}

/** Looks up the names that a task mentions, as written. */
export function findMentioned(corpus: Corpus, mentions: readonly SymbolMention[]): FoundDefinition[] {
  const weights = new Map<string, number>();
  for (const { name, form, zone } of mentions) {
    const weight = FORM_WEIGHT[form] * ZONE_WEIGHT[zone];
    weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  const found: FoundDefinition[] = [];
  for (const [name, weight] of weights) {
    const definers = definersOf(corpus, name);
    if (definers.length > 0) found.push({ name, weight, definers });
  }
  return found;
}

/** The files that define a name, as written. */
export function definersOf({ index, fileOf }: Corpus, name: string): FoundDefinition['definers'] {
  const definers = new Map<number, { file: number; kind: number; symbol: number }>();
  fileOf.forEach((documents, number) => {
    const segment = index.segment(number);
    const word = segment.words.find(name);
    if (word < 0) return;
    eachDefinition(segment, word, (document, symbol, kind) => {
      const file = documents[document] ?? -1;
      if (file < 0) return;
      const known = definers.get(file);
      if (!known || kindWeight(known.kind) < kindWeight(kind)) definers.set(file, { file, kind, symbol });
    });
  });
  return [...definers.values()].sort((a, b) => a.file - b.file);
}

/** Share of each found name among its definers: a name that one file defines points there. */
export function scoreMentioned(corpus: Corpus, found: readonly FoundDefinition[]): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  for (const { weight, definers } of found)
    for (const { file, kind } of definers) scores[file]! += (weight * kindWeight(kind)) / definers.length;
  return scores;
}

/**
 * The best match between the task and the name of a single definition of each file: the summed gain of the parts
 * that the task has, times the share of the name that they cover.
 */
export function scoreNames(
  corpus: Corpus,
  terms: readonly { readonly words: TermWords; readonly gain: number }[],
): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  corpus.fileOf.forEach((documents, number) => {
    const segment = corpus.index.segment(number);
    const partCount = partCounterOf(segment);
    const gains = new Float32Array(segment.words.length);
    const matched = new Uint8Array(segment.words.length);
    const touched: number[] = [];
    for (const { words: found, gain } of terms) {
      const { words: ids, weights } = found.bySegment[number]!;
      for (let at = 0; at < ids.length; at++) {
        const id = ids[at]!;
        if (matched[id] === 0) touched.push(id);
        gains[id]! += gain * weights[at]!;
        matched[id]!++;
      }
    }
    for (const word of touched) {
      const gain = gains[word]!;
      if (gain === 0) continue;
      eachDefinition(segment, word, (document, _, kind) => {
        const file = documents[document] ?? -1;
        if (file < 0) return;
        const covered = Math.min(1, matched[word]! / partCount(word));
        const score = gain * covered * kindWeight(kind);
        if (score > scores[file]!) scores[file] = score;
      });
    }
  });
  return scores;
}

const partCounters = new WeakMap<SegmentView, (word: number) => number>();

/** How many parts a word of a segment has; the whole name counts as one of its own. Few words are asked for. */
function partCounterOf(segment: SegmentView): (word: number) => number {
  const known = partCounters.get(segment);
  if (known) return known;
  const counts = new Uint8Array(segment.words.length);
  const counter = (word: number) => {
    if (counts[word] === 0) counts[word] = Math.min(255, wordParts(segment.words.at(word)).length);
    return counts[word]!;
  };
  partCounters.set(segment, counter);
  return counter;
}
