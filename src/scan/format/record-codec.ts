// The smallest parts of a segment: rows of symbols and imports, numbers of variable length, and the constants of the
// format.
import { crc32 } from 'node:zlib';
import type { ImportKind, ImportReference } from '../../model/parsed-file.ts';
import { kindsWith, SYMBOL_KINDS, type SymbolDefinition } from '../../model/symbol.ts';
import { BUILT_FORMATS } from '../../platform/cache/built-formats.ts';

/**
 * Symbols and imports are rows without field names: a third of the bytes, and JSON still parses them natively. The
 * order of the fields is the format.
 */
type SymbolRow = [
  name: string,
  kind: number,
  container: number,
  start: number,
  nameStart: number,
  headerEnd: number,
  bodyEnd: number,
  end: number,
  startLine: number,
  endLine: number,
  signature: string,
  doc: string,
  /** First and last line of the doc comment, where there is one. */
  ...docLines: number[],
];

type ImportRow = [
  kind: ImportKind,
  specifier: string,
  names: readonly string[],
  line: number,
  endLine: number,
];

/** The symbols of one document as a record of a segment. */
export function encodeSymbols(symbols: readonly SymbolDefinition[]): string {
  const rows = symbols.map(
    (s): SymbolRow => [
      s.name,
      SYMBOL_KINDS.indexOf(s.kind),
      s.container,
      s.start,
      s.nameStart,
      s.headerEnd,
      s.bodyEnd,
      s.end,
      s.startLine,
      s.endLine,
      s.signature,
      s.doc,
      ...docLinesOf(s),
    ],
  );
  return JSON.stringify(rows);
}

function docLinesOf({ docLines }: SymbolDefinition): number[] {
  return docLines ? [docLines.startLine, docLines.endLine] : [];
}

/** The reverse of `encodeSymbols`. */
export function decodeSymbols(record: string): SymbolDefinition[] {
  return (JSON.parse(record) as SymbolRow[]).map((row) => ({
    name: row[0],
    kind: SYMBOL_KINDS[row[1]]!,
    container: row[2],
    start: row[3],
    nameStart: row[4],
    headerEnd: row[5],
    bodyEnd: row[6],
    end: row[7],
    startLine: row[8],
    endLine: row[9],
    signature: row[10],
    doc: row[11],
    ...(row[12] === undefined ? {} : { docLines: { startLine: row[12], endLine: row[13]! } }),
  }));
}

/** The imports of one document as a record of a segment. */
export function encodeImports(imports: readonly ImportReference[]): string {
  return JSON.stringify(imports.map((i): ImportRow => [i.kind, i.specifier, i.names, i.line, i.endLine]));
}

/** The reverse of `encodeImports`. */
export function decodeImports(record: string): ImportReference[] {
  return (JSON.parse(record) as ImportRow[]).map(([kind, specifier, names, line, endLine]) => ({
    kind,
    specifier,
    names,
    line,
    endLine,
  }));
}

/** Definitions that another file can name. */
const EXPORTED_KINDS = kindsWith('exported');

/** Names at the top level of a file, on one line. NUL separates them, because no name holds it. */
export function encodeExports(symbols: readonly SymbolDefinition[]): string {
  const names = symbols.filter(({ container, kind }) => container < 0 && EXPORTED_KINDS.has(kind));
  return names.map(({ name }) => name.replace(/[\0\n]/g, ' ')).join('\0');
}

export function decodeExports(line: string): string[] {
  return line === '' ? [] : line.split('\0');
}

/** A checksum of everything that links depend on: what a file imports and what it exports. Lines are not part of it. */
export function interfaceHash(
  symbols: readonly SymbolDefinition[],
  imports: readonly ImportReference[],
): number {
  const used = imports.map(({ kind, specifier, names }) => [kind, specifier, names]);
  return crc32(`${encodeExports(symbols)}\n${JSON.stringify(used)}`);
}

/** A growing byte buffer with variable-length integers: seven bits a byte, low bits first. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 1 << 16) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** Doubles the room when it is used up. */
  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + extra));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }

  /** At most five bytes for 32 bits. */
  varint(value: number): void {
    this.#reserve(5);
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  text(value: string): void {
    this.#reserve(value.length * 3);
    this.#length += this.#bytes.write(value, this.#length, 'utf8');
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** Copies a few bytes. For so few a loop is faster than a view. */
  copy(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    for (let at = start; at < end; at++) this.#bytes[this.#length++] = source[at]!;
  }

  /** The written bytes. They share memory with the writer. */
  finish(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Reads the output of `ByteWriter`. `at` may be set to any place. */
export class ByteReader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  varint(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.at++]!;
    let value = byte & 0x7f;
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[this.at++]!;
      value |= (byte & 0x7f) << shift;
    }
    return value >>> 0;
  }
}

/**
 * The format number of segments. The build derives it from the code that parses, so it changes with every change of
 * findings, and older segments are rebuilt.
 */
export const SEGMENT_FORMAT = BUILT_FORMATS.segments;

/** Lines that are kept for one word in one file. The count of the word stays exact. */
export const MAX_POSITIONS = 64;

/** Sections of which a search reads only a few pages. */
export const PAGED_SECTIONS: readonly string[] = ['postings', 'words', 'parts', 'partWords'];

/** Columns of the `documents` section, see `DOCUMENT` of the model. */
export const DOCUMENT_COLUMNS = 8;

/** Bits of the `flags` column; the lowest three hold the parse problem. */
export const FLAG = { problemMask: 7, syntaxErrors: 8, generated: 16 } as const;

/** Reasons why a file has no structure, in the order of their numbers on disk. */
export const PARSE_PROBLEMS = [
  'parser-timeout',
  'parser-crashed',
  'too-complex',
  'no-grammar',
  'minified',
] as const;
