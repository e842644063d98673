import { crc32 } from 'node:zlib';
import type { FileWords, Vocabulary } from '../../model/file-words.ts';
import { DOCUMENT, TOP_LEVEL } from '../../model/index-view.ts';
import type { ParsedFile } from '../../model/parsed-file.ts';
import { SYMBOL_KINDS } from '../../model/symbol.ts';
import { ByteWriter } from './byte-writer.ts';
import { NumberList } from './number-list.ts';
import { PostingBuilder } from './posting-builder.ts';
import { encodeExports, encodeImports, encodeSymbols } from './record-codec.ts';
import { writeSections } from './section-file.ts';
import { DOCUMENT_COLUMNS, FLAG, PAGED_SECTIONS, PARSE_PROBLEMS, SEGMENT_FORMAT } from './segment-format.ts';

export interface SegmentDocument {
  /** Content hash and language: equal keys mean equal findings. */
  readonly key: string;
  readonly byteLength: number;
  readonly generated: boolean;
  readonly parsed: ParsedFile;
  readonly words: FileWords;
}

/** A record section: concatenated records, where each starts, and a checksum for each. */
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
  /** A line for each document, read whole when files are linked. */
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

  /** Number of the document in the segment. */
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

  /** Definitions by the word that names them, see `DEFINITION_COLUMNS`; sorted by word. */
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
