// Lays parsed files out as a segment: documents, words with their postings, definitions, imports. Everything is
// collected in columns of numbers first, because millions of small objects would not fit into memory.
import { crc32 } from 'node:zlib';
import { DOCUMENT, TOP_LEVEL } from '../../model/index-view.ts';
import { type FileWords, type ParsedFile, type Vocabulary, WORD_FIELD } from '../../model/parsed-file.ts';
import { SYMBOL_KINDS } from '../../model/symbol.ts';
import { wordParts } from '../../model/word-parts.ts';
import {
  ByteWriter,
  DOCUMENT_COLUMNS,
  encodeExports,
  encodeImports,
  encodeSymbols,
  FLAG,
  MAX_POSITIONS,
  PAGED_SECTIONS,
  PARSE_PROBLEMS,
  SEGMENT_FORMAT,
} from './record-codec.ts';
import { writeSections } from './section-file.ts';

/** One parsed file. */
interface SegmentDocument {
  /** Content hash and language: equal keys mean equal findings. */
  readonly key: string;
  readonly byteLength: number;
  readonly generated: boolean;
  readonly parsed: ParsedFile;
  readonly words: FileWords;
}

/** A section of records: their bytes, where each one starts, and a checksum for each, so that one can be read alone. */
class Records {
  readonly #writer = new ByteWriter();
  readonly #offsets = new NumberList();
  readonly #checksums = new NumberList();

  constructor() {
    this.#offsets.push(0);
  }

  add(record: string): void {
    const bytes = Buffer.from(record);
    this.#writer.bytes(bytes);
    this.#offsets.push(this.#writer.length);
    this.#checksums.push(crc32(bytes));
  }

  sections(name: string): Record<string, Uint8Array | Uint32Array> {
    return {
      [name]: this.#writer.finish(),
      [`${name}Offsets`]: this.#offsets.finish(),
      [`${name}Checksums`]: this.#checksums.finish(),
    };
  }
}

/** Collects parsed files and lays them out as one immutable segment. */
export class SegmentBuilder {
  readonly #keys: string[] = [];
  readonly #documents = new NumberList();
  readonly #symbols = new Records();
  /** One line for each document. All of them are read when files are linked. */
  readonly #imports: string[] = [];
  readonly #exports: string[] = [];
  readonly #postings: PostingBuilder;
  readonly #definitions: {
    readonly name: string;
    readonly document: number;
    readonly symbol: number;
    readonly kind: number;
  }[] = [];

  /** All documents must come from one tokenizer, whose vocabulary this is. */
  constructor(vocabulary: Vocabulary) {
    this.#postings = new PostingBuilder(vocabulary);
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Adds a document and returns its number in the segment. */
  add(document: SegmentDocument): number {
    const index = this.#keys.length;
    const { parsed, words } = document;
    this.#keys.push(document.key);
    this.#symbols.add(encodeSymbols(parsed.symbols));
    this.#imports.push(encodeImports(parsed.imports));
    this.#exports.push(encodeExports(parsed.symbols));
    parsed.symbols.forEach(({ name, kind, container }, symbol) => {
      const code = SYMBOL_KINDS.indexOf(kind) | (container < 0 ? TOP_LEVEL : 0);
      this.#definitions.push({ name, document: index, symbol, kind: code });
    });
    for (const value of documentRow(document)) this.#documents.push(value);
    this.#postings.add(words);
    return index;
  }

  /** The bytes of the segment, in chunks. */
  finish(): Buffer[] {
    const { sections, rankOf } = this.#postings.finish();
    const all = {
      keys: Buffer.from(this.#keys.join('\n')),
      documents: this.#documents.finish(),
      ...sections,
      definitions: this.#definitionRows(rankOf),
      ...this.#symbols.sections('symbols'),
      imports: Buffer.from(this.#imports.join('\n')),
      exports: Buffer.from(this.#exports.join('\n')),
    };
    return writeSections(SEGMENT_FORMAT, all, PAGED_SECTIONS);
  }

  /** Definitions by their name, see `DEFINITION_COLUMNS`; sorted by word. */
  #definitionRows(rankOf: (word: string) => number | undefined): Uint32Array {
    const rows: [word: number, document: number, symbol: number, kind: number][] = [];
    for (const { name, document, symbol, kind } of this.#definitions) {
      const word = rankOf(name);
      if (word !== undefined) rows.push([word, document, symbol, kind]);
    }
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    return Uint32Array.from(rows.flat());
  }
}

/** The row of a document, see `DOCUMENT`. */
function documentRow({ byteLength, generated, parsed, words }: SegmentDocument): number[] {
  const row = new Array<number>(DOCUMENT_COLUMNS).fill(0);
  for (const field of words.fields) row[DOCUMENT.codeWords + field]!++;
  row[DOCUMENT.byteLength] = byteLength;
  row[DOCUMENT.lineCount] = parsed.lineCount;
  const problem = parsed.problem ? PARSE_PROBLEMS.indexOf(parsed.problem) + 1 : 0;
  const syntaxErrors = parsed.hasSyntaxErrors ? FLAG.syntaxErrors : 0;
  row[DOCUMENT.flags] = problem | syntaxErrors | (generated ? FLAG.generated : 0);
  row[DOCUMENT.symbolCount] = parsed.symbols.length;
  return row;
}

/** Bytes or numbers by the name of their section. */
type Sections = Record<string, Uint8Array | Uint32Array>;

/**
 * Turns the words of documents into the inverted lists of a segment. It collects a "pair" for each word of each
 * document, in the order of documents. A counting sort orders them by word at the end.
 */
class PostingBuilder {
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
    // Group the occurrences by word, with a counting sort.
    const starts = new Uint32Array(distinct.length + 1);
    for (let at = 0; at < occurrences.length; at++) starts[occurrences[at]! + 1]!++;
    for (let place = 0; place < distinct.length; place++) starts[place + 1]! += starts[place]!;
    const order = new Uint32Array(occurrences.length);
    const next = starts.slice();
    for (let at = 0; at < occurrences.length; at++) order[next[occurrences[at]!]!++] = at;
    for (let place = 0; place < distinct.length; place++) {
      const first = starts[place]!;
      const last = starts[place + 1]!;
      // Write the count, then line and field of each occurrence. Lines are differences, which mostly take one byte.
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

  /** `rankOf` is the number of a word among all words in order. */
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
   * `postings`, word by word: the document (as a difference), the count, then line and field of each kept occurrence.
   * `uses`, document by document: the words that its code uses and how often; edges of references are made from them.
   */
  #lists(ranks: Uint32Array): Sections {
    const pairWords = this.#pairWords.finish();
    const pairOffsets = this.#pairOffsets.finish();
    const codeCounts = this.#pairCodeCounts.finish();
    const documentPairs = this.#documentPairs.finish();
    const positions = this.#positions.finish();
    const documentCount = documentPairs.length - 1;
    // Order the pairs by word. Within a word they stay in the order of documents.
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
    // Going through the words in order also puts the words of each document in order.
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

/** The words in order, and their parts (`parse` of `parseHeaders`) with the words that have them. */
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

/** A list of strings: their bytes, and where each one starts. */
function strings(name: string, values: readonly string[]): Sections {
  const writer = new ByteWriter(values.length * 10 + 16);
  const offsets = new Uint32Array(values.length + 1);
  values.forEach((value, index) => {
    writer.text(value);
    offsets[index + 1] = writer.length;
  });
  return { [name]: writer.finish(), [`${name}Offsets`]: offsets };
}

/** A growing column of unsigned numbers. A plain array of millions takes three times the memory. */
class NumberList {
  #values: Uint32Array;
  #length = 0;

  constructor(capacity = 1024) {
    this.#values = new Uint32Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const grown = new Uint32Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = value;
  }

  finish(): Uint32Array {
    return this.#values.subarray(0, this.#length);
  }
}
