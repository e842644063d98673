import type { IndexView } from '../../model/index-view.ts';
import type { LexicalSearch, LexicalTerm, WordFieldName } from '../../model/knowledge-store.ts';
import { WORD_FIELD } from '../../model/parsed-file.ts';
import { type Corpus, corpusOf, FIELD_COUNT } from './corpus.ts';
import { variantsOf, type WordForms } from './query-terms.ts';

/** Scores the files of an index by their words; by file number, files with equal content alike. */
export function searchWords(index: IndexView, search: LexicalSearch): Float64Array {
  const corpus = corpusOf(index);
  const counter = new TermCounter(corpus);
  const known = countedIn(corpus);
  const terms = search.terms.map((term) => {
    const hits = known.get(term.words) ?? counter.count(wordsOfTerm(corpus, term));
    known.set(term.words, hits);
    return { hits, weight: term.weight };
  });
  const fields: number[] = [];
  for (const [name, field] of Object.entries(WORD_FIELD))
    fields[field] = search.fields[name as WordFieldName];
  const { lengthShare, saturation } = search;
  const scores = scoreTerms(corpus, terms, { fields, lengthShare, saturation });
  const { twinOf } = corpus;
  for (let file = 0; file < scores.length; file++)
    if (twinOf[file]! >= 0) scores[file] = scores[twinOf[file]!]!;
  return scores;
}

const counted = new WeakMap<Corpus, WeakMap<LexicalTerm['words'], TermHits>>();

/** Searches that differ in their weights share their terms: each is counted once. */
function countedIn(corpus: Corpus): WeakMap<LexicalTerm['words'], TermHits> {
  const known = counted.get(corpus) ?? new WeakMap();
  counted.set(corpus, known);
  return known;
}

function wordsOfTerm({ index, fileOf }: Corpus, { words: forms }: LexicalTerm): TermWords {
  const bySegment = fileOf.map((_, number) => {
    const segment = index.segment(number);
    const words: number[] = [];
    const weights: number[] = [];
    for (const { word: form, weight } of forms) {
      const part = segment.parts.find(form);
      if (part < 0) continue;
      for (const word of segment.wordsWithPart(part)) {
        words.push(word);
        weights.push(weight);
      }
    }
    return { words: Uint32Array.from(words), weights: Float32Array.from(weights) };
  });
  return { bySegment };
}

/** The words of an index that answer to a term, by segment. */
export interface TermWords {
  readonly bySegment: readonly { readonly words: Uint32Array; readonly weights: Float32Array }[];
}

/** The documents that have a term, and how often in each field. */
export interface TermHits {
  readonly files: Int32Array;
  /** `place * FIELD_COUNT + field`, in the order of `files`. */
  readonly counts: Float32Array;
}

/** Looks up the term itself and, for less, the same word in another number or tense. */
export function findWords({ index, fileOf }: Corpus, forms: WordForms): TermWords {
  const bySegment = fileOf.map((_, number) => {
    const segment = index.segment(number);
    const words: number[] = [];
    const weights: number[] = [];
    for (const { part, weight } of variantsOf(segment.parts, forms))
      for (const word of segment.wordsWithPart(part)) {
        words.push(word);
        weights.push(weight);
      }
    return { words: Uint32Array.from(words), weights: Float32Array.from(weights) };
  });
  return { bySegment };
}

/** Calls back for each file and each of its words that a term answers to. */
export function eachOccurrence(
  { index, fileOf }: Corpus,
  { bySegment }: TermWords,
  visit: (file: number, weight: number, count: number, positions: Uint32Array, kept: number) => void,
): void {
  bySegment.forEach(({ words, weights }, number) => {
    const segment = index.segment(number);
    const documents = fileOf[number]!;
    for (let at = 0; at < words.length; at++) {
      const weight = weights[at]!;
      segment.eachPosting(words[at]!, (document, count, positions, kept) => {
        const file = documents[document] ?? -1;
        if (file >= 0) visit(file, weight, count, positions, kept);
      });
    }
  });
}

/** Counts terms, one after the other; its tables are reused. */
export class TermCounter {
  readonly #corpus: Corpus;
  readonly #place: Int32Array;
  readonly #files: number[] = [];
  #counts: Float32Array = new Float32Array(4_096);

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
    this.#place = new Int32Array(corpus.fileCount).fill(-1);
  }

  count(words: TermWords): TermHits {
    eachOccurrence(this.#corpus, words, (file, weight, count, positions, kept) => {
      let place = this.#place[file]!;
      if (place < 0) {
        place = this.#files.length;
        this.#place[file] = place;
        this.#files.push(file);
        if ((place + 1) * FIELD_COUNT > this.#counts.length) this.#grow();
      }
      const share = (weight * count) / kept;
      for (let at = 0; at < kept; at++)
        this.#counts[place * FIELD_COUNT + (positions[at]! & (FIELD_COUNT - 1))]! += share;
    });
    const files = Int32Array.from(this.#files);
    const counts = this.#counts.slice(0, files.length * FIELD_COUNT);
    this.#counts.fill(0, 0, counts.length);
    for (const file of files) this.#place[file] = -1;
    this.#files.length = 0;
    return { files, counts };
  }

  #grow(): void {
    const larger = new Float32Array(this.#counts.length * 2);
    larger.set(this.#counts);
    this.#counts = larger;
  }
}

/** How much a word counts in each field, and how fast repetition stops counting. */
export interface FieldWeights {
  /** In the order of `WORD_FIELD`: code, comment, string, definition. */
  readonly fields: readonly number[];
  /** 0: long files are not held back; 1: fully. */
  readonly lengthShare: number;
  readonly saturation: number;
}

/** A word in a definition counts three times. */
export const ALL_FIELDS: FieldWeights = { fields: [1, 1, 1, 3], lengthShare: 0.75, saturation: 1.2 };

export const onlyField = (field: number): FieldWeights => ({
  fields: [0, 0, 0, 0].map((_, at) => (at === field ? 1 : 0)),
  lengthShare: 0.6,
  saturation: 1.2,
});

/** Inverse document frequency, never negative. */
export function rarity(documents: number, frequency: number): number {
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5));
}

/**
 * BM25 over fields (BM25F): counts are weighted by field and by the file's length before they saturate, so that
 * a word in a definition and in its comment counts once, strongly.
 */
export function scoreTerms(
  corpus: Corpus,
  terms: readonly { readonly hits: TermHits; readonly weight: number }[],
  weights: FieldWeights,
): Float64Array {
  const scores = new Float64Array(corpus.fileCount);
  const norms = lengthNorms(corpus, weights);
  const { fields, saturation } = weights;
  for (const { hits, weight } of terms) {
    if (weight === 0) continue;
    const gain = weight * rarity(corpus.size, hits.files.length) * (saturation + 1);
    for (let place = 0; place < hits.files.length; place++) {
      const file = hits.files[place]!;
      let count = 0;
      for (let field = 0; field < FIELD_COUNT; field++)
        count += fields[field]! * hits.counts[place * FIELD_COUNT + field]!;
      if (count === 0) continue;
      const normal = count / norms[file]!;
      scores[file]! += (gain * normal) / (normal + saturation);
    }
  }
  return scores;
}

/** Length of each file against the mean, by the same field weights. */
function lengthNorms(corpus: Corpus, { fields, lengthShare }: FieldWeights): Float64Array {
  const mean = fields.reduce((sum, weight, field) => sum + weight * corpus.averages[field]!, 0) || 1;
  const norms = new Float64Array(corpus.fileCount);
  for (let file = 0; file < norms.length; file++) {
    let length = 0;
    for (let field = 0; field < FIELD_COUNT; field++)
      length += fields[field]! * corpus.lengths[file * FIELD_COUNT + field]!;
    norms[file] = 1 - lengthShare + (lengthShare * length) / mean;
  }
  return norms;
}
