import { type FileWords, WORD_FIELD } from '../model/file-words.ts';
import { wordParts } from '../model/word-parts.ts';
import { ByteWriter } from './byte-writer.ts';
import { NumberList } from './number-list.ts';
import { MAX_POSITIONS } from './segment-format.ts';

type Sections = Record<string, Uint8Array | Uint32Array>;

/**
 * Turns the words of documents into the inverted lists of a segment. What is collected is one entry (a "pair")
 * for each word of each document, in document order; sorting by word happens once, by counting.
 */
export class PostingBuilder {
  readonly #wordIds = new Map<string, number>();
  readonly #words: string[] = [];
  readonly #pairWords = new NumberList(1 << 16);
  readonly #pairCodeCounts = new NumberList(1 << 16);
  readonly #pairOffsets = new NumberList(1 << 16);
  readonly #documentPairs = new NumberList();
  readonly #positions = new ByteWriter(1 << 20);

  constructor() {
    this.#documentPairs.push(0);
  }

  add({ words, wordIds, lines, fields }: FileWords): void {
    const starts = new Uint32Array(words.length + 1);
    for (let at = 0; at < wordIds.length; at++) starts[wordIds[at]! + 1]!++;
    for (let id = 0; id < words.length; id++) starts[id + 1]! += starts[id]!;
    const order = new Uint32Array(wordIds.length);
    const next = starts.slice();
    for (let at = 0; at < wordIds.length; at++) order[next[wordIds[at]!]!++] = at;
    for (let id = 0; id < words.length; id++) {
      const first = starts[id]!;
      const last = starts[id + 1]!;
      this.#pairWords.push(this.#wordId(words[id]!));
      this.#pairOffsets.push(this.#positions.length);
      this.#positions.varint(last - first);
      let previous = 0;
      let codeCount = 0;
      for (let at = first; at < last; at++) {
        const occurrence = order[at]!;
        const field = fields[occurrence]!;
        if (field === WORD_FIELD.code) codeCount++;
        if (at - first >= MAX_POSITIONS) continue;
        const line = lines[occurrence]!;
        this.#positions.varint(((line - previous) << 2) | field);
        previous = line;
      }
      this.#pairCodeCounts.push(codeCount);
    }
    this.#documentPairs.push(this.#pairWords.length);
  }

  #wordId(word: string): number {
    const known = this.#wordIds.get(word);
    if (known !== undefined) return known;
    this.#wordIds.set(word, this.#words.length);
    this.#words.push(word);
    return this.#words.length - 1;
  }

  finish(): { readonly sections: Sections; readonly rankOf: (word: string) => number | undefined } {
    const vocabulary = this.#words.slice().sort();
    const ranks = new Uint32Array(vocabulary.length);
    vocabulary.forEach((word, rank) => {
      ranks[this.#wordIds.get(word)!] = rank;
    });
    const sections = { ...vocabularySections(vocabulary), ...this.#lists(ranks) };
    const rankOf = (word: string) => {
      const id = this.#wordIds.get(word);
      return id === undefined ? undefined : ranks[id];
    };
    return { sections, rankOf };
  }

  /**
   * `postings`, word by word: document (as a difference), count, then line and field of each kept occurrence.
   * `uses`, document by document: the words its code uses and how often, the raw material of reference edges.
   */
  #lists(ranks: Uint32Array): Sections {
    const pairWords = this.#pairWords.finish();
    const pairOffsets = this.#pairOffsets.finish();
    const codeCounts = this.#pairCodeCounts.finish();
    const documentPairs = this.#documentPairs.finish();
    const positions = this.#positions.finish();
    const documentCount = documentPairs.length - 1;
    const starts = new Uint32Array(ranks.length + 1);
    for (let pair = 0; pair < pairWords.length; pair++) starts[ranks[pairWords[pair]!]! + 1]!++;
    for (let rank = 0; rank < ranks.length; rank++) starts[rank + 1]! += starts[rank]!;
    const order = new Uint32Array(pairWords.length);
    const documentOf = new Uint32Array(pairWords.length);
    const next = starts.slice();
    for (let document = 0; document < documentCount; document++) {
      for (let pair = documentPairs[document]!; pair < documentPairs[document + 1]!; pair++) {
        documentOf[pair] = document;
        order[next[ranks[pairWords[pair]!]!]!++] = pair;
      }
    }
    const postings = new ByteWriter(positions.length + pairWords.length + 16);
    const postingOffsets = new Uint32Array(ranks.length + 1);
    // going through the words in order puts each document's words in order, too
    const usedRanks = new Uint32Array(pairWords.length);
    const usedCounts = new Uint32Array(pairWords.length);
    const usedNext = documentPairs.slice();
    for (let rank = 0; rank < ranks.length; rank++) {
      let previous = 0;
      for (let at = starts[rank]!; at < starts[rank + 1]!; at++) {
        const pair = order[at]!;
        const document = documentOf[pair]!;
        postings.varint(document - previous);
        previous = document;
        postings.copy(positions, pairOffsets[pair]!, pairOffsets[pair + 1] ?? positions.length);
        if (codeCounts[pair]! === 0) continue;
        usedRanks[usedNext[document]!] = rank;
        usedCounts[usedNext[document]!++] = codeCounts[pair]!;
      }
      postingOffsets[rank + 1] = postings.length;
    }
    const uses = new ByteWriter(pairWords.length * 2 + 16);
    const useOffsets = new Uint32Array(documentCount + 1);
    for (let document = 0; document < documentCount; document++) {
      let previous = 0;
      for (let at = documentPairs[document]!; at < usedNext[document]!; at++) {
        uses.varint(usedRanks[at]! - previous);
        uses.varint(usedCounts[at]!);
        previous = usedRanks[at]!;
      }
      useOffsets[document + 1] = uses.length;
    }
    return { postings: postings.finish(), postingOffsets, uses: uses.finish(), useOffsets };
  }
}

/** The words in order, and the parts (`parse` of `parseHeaders`) with the words that have them. */
function vocabularySections(vocabulary: readonly string[]): Sections {
  const byPart = new Map<string, NumberList>();
  vocabulary.forEach((word, rank) => {
    for (const part of wordParts(word)) {
      let ranks = byPart.get(part);
      if (!ranks) {
        ranks = new NumberList(2);
        byPart.set(part, ranks);
      }
      ranks.push(rank);
    }
  });
  const parts = [...byPart.keys()].sort();
  const starts = new Uint32Array(parts.length + 1);
  parts.forEach((part, index) => {
    starts[index + 1] = starts[index]! + byPart.get(part)!.length;
  });
  const ranks = new Uint32Array(starts[parts.length]!);
  parts.forEach((part, index) => {
    ranks.set(byPart.get(part)!.finish(), starts[index]!);
  });
  return {
    ...strings('words', vocabulary),
    ...strings('parts', parts),
    partStarts: starts,
    partWords: ranks,
  };
}

function strings(name: string, values: readonly string[]): Sections {
  const writer = new ByteWriter(values.length * 10 + 16);
  const offsets = new Uint32Array(values.length + 1);
  values.forEach((value, index) => {
    writer.text(value);
    offsets[index + 1] = writer.length;
  });
  return { [name]: writer.finish(), [`${name}Offsets`]: offsets };
}
