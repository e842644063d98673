import { type FileWords, type Vocabulary, WORD_FIELD } from '../../model/file-words.ts';
import { wordParts } from '../../model/word-parts.ts';
import { ByteWriter } from './byte-writer.ts';
import { NumberList } from './number-list.ts';
import { MAX_POSITIONS } from './segment-format.ts';

type Sections = Record<string, Uint8Array | Uint32Array>;

/**
 * Turns the words of documents into the inverted lists of a segment. What is collected is one entry (a "pair")
 * for each word of each document, in document order; sorting by word happens once, by counting.
 */
export class PostingBuilder {
  readonly #vocabulary: Vocabulary;
  readonly #pairWords = new NumberList(1 << 16);
  readonly #pairCodeCounts = new NumberList(1 << 16);
  readonly #pairOffsets = new NumberList(1 << 16);
  readonly #documentPairs = new NumberList();
  readonly #positions = new ByteWriter(1 << 20);

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#documentPairs.push(0);
  }

  add({ distinct, occurrences, lines, fields }: FileWords): void {
    const starts = new Uint32Array(distinct.length + 1);
    for (let at = 0; at < occurrences.length; at++) starts[occurrences[at]! + 1]!++;
    for (let place = 0; place < distinct.length; place++) starts[place + 1]! += starts[place]!;
    const order = new Uint32Array(occurrences.length);
    const next = starts.slice();
    for (let at = 0; at < occurrences.length; at++) order[next[occurrences[at]!]!++] = at;
    for (let place = 0; place < distinct.length; place++) {
      const first = starts[place]!;
      const last = starts[place + 1]!;
      this.#pairWords.push(distinct[place]!);
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

  finish(): { readonly sections: Sections; readonly rankOf: (word: string) => number | undefined } {
    const { words } = this.#vocabulary;
    const sorted = words.slice().sort();
    const ranks = new Uint32Array(words.length);
    sorted.forEach((word, rank) => {
      ranks[this.#vocabulary.idOf(word)!] = rank;
    });
    const rankOf = (word: string) => {
      const id = this.#vocabulary.idOf(word);
      return id === undefined ? undefined : ranks[id];
    };
    return { sections: { ...vocabularySections(sorted), ...this.#lists(ranks) }, rankOf };
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
  const partIds = new Map<string, number>();
  const pairParts = new NumberList(vocabulary.length * 2 + 16);
  const pairRanks = new NumberList(vocabulary.length * 2 + 16);
  vocabulary.forEach((word, rank) => {
    for (const part of wordParts(word)) {
      let id = partIds.get(part);
      if (id === undefined) {
        id = partIds.size;
        partIds.set(part, id);
      }
      pairParts.push(id);
      pairRanks.push(rank);
    }
  });
  const parts = [...partIds.keys()].sort();
  const places = new Uint32Array(parts.length);
  parts.forEach((part, place) => {
    places[partIds.get(part)!] = place;
  });
  const ids = pairParts.finish();
  const ranks = pairRanks.finish();
  const starts = new Uint32Array(parts.length + 1);
  for (const id of ids) starts[places[id]! + 1]!++;
  for (let place = 0; place < parts.length; place++) starts[place + 1]! += starts[place]!;
  const next = starts.slice();
  const words = new Uint32Array(ids.length);
  for (let at = 0; at < ids.length; at++) words[next[places[ids[at]!]!]!++] = ranks[at]!;
  return {
    ...strings('words', vocabulary),
    ...strings('parts', parts),
    partStarts: starts,
    partWords: words,
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
