import { type Corpus, FIELD_COUNT } from './corpus.ts';
import { variantsOf, type WordForms } from './word-forms.ts';

/** The words of an index that answer to a term, by segment. */
export interface TermWords {
  readonly bySegment: readonly { readonly words: Uint32Array; readonly weights: Float32Array }[];
}

/** The documents a term stands in, and how often in each field. */
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
