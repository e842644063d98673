// Reads a segment: the words and where they occur, the symbols of a document, its imports and exports.
import { crc32 } from 'node:zlib';
import { DOCUMENT, type PostingVisitor, type SegmentView, type StringList } from '../../model/index-view.ts';
import type { ImportReference, ParseProblem } from '../../model/parsed-file.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import {
  ByteReader,
  DOCUMENT_COLUMNS,
  decodeExports,
  decodeImports,
  decodeSymbols,
  FLAG,
  MAX_POSITIONS,
  PARSE_PROBLEMS,
  SEGMENT_FORMAT,
} from './record-codec.ts';
import { DamagedFileError, type PagedSection, type RangeReader, SectionFile } from './section-file.ts';

/** Size of a number in a section. */
const BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** A sorted list of strings. A search reads only the pages that it needs. */
class StringTable implements StringList {
  readonly #section: PagedSection;
  readonly #offsets: Uint32Array;

  constructor(file: SectionFile, name: string) {
    this.#section = file.paged(name);
    this.#offsets = file.numbers(`${name}Offsets`);
  }

  get length(): number {
    return this.#offsets.length - 1;
  }

  at(index: number): string {
    const start = this.#offsets[index]!;
    const end = this.#offsets[index + 1]!;
    this.#section.need(start, end);
    return this.#section.bytes.toString('utf8', start, end);
  }

  /** Index of the first entry that is not before `value`. */
  lowerBound(value: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.at(middle) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  find(value: string): number {
    const index = this.lowerBound(value);
    return index < this.length && this.at(index) === value ? index : -1;
  }
}

/** Reads a segment section by section. Nothing is loaded before it is needed. */
export class SegmentReader implements SegmentView {
  readonly #file: SectionFile;
  readonly #loaded = new Map<string, unknown>();

  constructor(reader: RangeReader) {
    this.#file = new SectionFile(reader, SEGMENT_FORMAT);
  }

  /** Loads a section on first use and keeps it. */
  #once<T>(name: string, load: () => T): T {
    if (!this.#loaded.has(name)) this.#loaded.set(name, load());
    return this.#loaded.get(name) as T;
  }

  #numbers(name: string): Uint32Array {
    return this.#once(name, () => this.#file.numbers(name));
  }

  /** The key of each document, see `documentKey`. */
  get keys(): readonly string[] {
    return this.#once('keys', () => {
      const text = this.#file.section('keys').toString('utf8');
      return text === '' ? [] : text.split('\n');
    });
  }

  /** All words of the segment, sorted. */
  get words(): StringTable {
    return this.#once('words', () => new StringTable(this.#file, 'words'));
  }

  /** Parts of words, such as `parse` of `parseHeaders`, sorted. */
  get parts(): StringTable {
    return this.#once('parts', () => new StringTable(this.#file, 'parts'));
  }

  /** A column of the document table, see `DOCUMENT`. */
  document(document: number, column: number): number {
    return this.#numbers('documents')[document * DOCUMENT_COLUMNS + column]!;
  }

  /** Why the document has no structure, or null. */
  problem(document: number): ParseProblem | null {
    return PARSE_PROBLEMS[(this.document(document, DOCUMENT.flags) & FLAG.problemMask) - 1] ?? null;
  }

  /** Ids of the words that have this part. */
  wordsWithPart(part: number): Uint32Array {
    const starts = this.#numbers('partStarts');
    const section = this.#once('partWords', () => this.#file.paged('partWords'));
    const [start, end] = [starts[part]!, starts[part + 1]!];
    section.need(start * BYTES, end * BYTES);
    return new Uint32Array(section.bytes.buffer, section.bytes.byteOffset + start * BYTES, end - start);
  }

  eachPosting(word: number, visit: PostingVisitor): void {
    const offsets = this.#numbers('postingOffsets');
    const positions = this.#once('scratch', () => new Uint32Array(MAX_POSITIONS));
    const section = this.#once('postings', () => this.#file.paged('postings'));
    const cursor = this.#once('posting cursor', () => new ByteReader(section.bytes));
    cursor.at = offsets[word]!;
    const end = offsets[word + 1]!;
    section.need(cursor.at, end);
    let document = 0;
    while (cursor.at < end) {
      document += cursor.varint();
      const count = cursor.varint();
      const kept = Math.min(count, MAX_POSITIONS);
      let line = 0;
      for (let index = 0; index < kept; index++) {
        const step = cursor.varint();
        line += step >>> 2;
        positions[index] = (line << 2) | (step & 3);
      }
      visit(document, count, positions, kept);
    }
  }

  /** The words a document's code uses: calls back with word id and count. */
  eachUse(document: number, visit: (word: number, count: number) => void): void {
    const offsets = this.#numbers('useOffsets');
    const cursor = this.#once('uses', () => new ByteReader(this.#file.section('uses')));
    cursor.at = offsets[document]!;
    let word = 0;
    while (cursor.at < offsets[document + 1]!) {
      word += cursor.varint();
      visit(word, cursor.varint());
    }
  }

  /** All definitions, see `DEFINITION_COLUMNS`. */
  get definitions(): Uint32Array {
    return this.#numbers('definitions');
  }

  symbols(document: number): SymbolDefinition[] {
    return decodeSymbols(this.#record('symbols', document));
  }

  imports(document: number): ImportReference[] {
    return decodeImports(this.#lines('imports')[document] ?? '[]');
  }

  /** True when an import of the document may name this. It searches the stored text without parsing it. */
  mayImport(document: number, name: string): boolean {
    const quoted = JSON.stringify(name).slice(0, -1);
    const text = this.#lines('imports')[document] ?? '';
    return text.includes(`${quoted}"`) || text.includes(`${quoted} as `);
  }

  /** Names defined at the top level of a document. */
  exports(document: number): string[] {
    return decodeExports(this.#lines('exports')[document] ?? '');
  }

  /** A section with one line for each document. */
  #lines(name: string): readonly string[] {
    return this.#once(name, () => this.#file.section(name).toString('utf8').split('\n'));
  }

  /** One record of a section, checked by its own checksum. */
  #record(name: string, index: number): string {
    const offsets = this.#numbers(`${name}Offsets`);
    const start = offsets[index]!;
    const bytes = this.#file.range(name, start, offsets[index + 1]! - start);
    if (crc32(bytes) !== this.#numbers(`${name}Checksums`)[index])
      throw new DamagedFileError(`record ${index} of "${name}" does not match its checksum`);
    return bytes.toString('utf8');
  }

  /** Checks every section against its checksum. */
  verify(): void {
    for (const name of this.#file.names) this.#file.section(name);
  }

  close(): void {
    this.#file.close();
  }
}
