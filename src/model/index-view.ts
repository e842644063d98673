// An opened index, as the stages after the scan read it.

import type { ImportReference } from './parsed-file.ts';
import type { FileLinks, Snapshot, SnapshotFile } from './snapshot.ts';
import type { SymbolDefinition } from './symbol.ts';

/** Width of a row of `SegmentView.definitions`; the kind is a place in `SYMBOL_KINDS`, plus `TOP_LEVEL`. */
export const DEFINITION_COLUMNS = 4;
export const TOP_LEVEL = 128;

/** Columns of `SegmentView.document`. */
export const DOCUMENT = {
  byteLength: 0,
  lineCount: 1,
  codeWords: 2,
  commentWords: 3,
  stringWords: 4,
  definitionWords: 5,
  flags: 6,
  symbolCount: 7,
} as const;

/** A sorted list of strings. */
export interface StringList {
  readonly length: number;
  at(index: number): string;
  /** Index of the value, or -1. */
  find(value: string): number;
  /** Index of the first entry that is not before `value`. */
  lowerBound(value: string): number;
}

export type PostingVisitor = (
  document: number,
  count: number,
  /** Filled from 0 to `kept` with `line << 2 | field`; reused between calls. */
  positions: Uint32Array,
  kept: number,
) => void;

/** Findings about the documents of one segment. */
export interface SegmentView {
  readonly words: StringList;
  /** Lower-case words that words answer to, see `wordParts`. */
  readonly parts: StringList;
  /** Ids of the words that have this part. */
  wordsWithPart(part: number): Uint32Array;
  /** Rows of `DEFINITION_COLUMNS` numbers: word id, document, symbol index, kind; sorted by word. */
  readonly definitions: Uint32Array;
  /** A column of the document table, see `DOCUMENT`. */
  document(document: number, column: number): number;
  eachPosting(word: number, visit: PostingVisitor): void;
  /** The words that a document's code uses, with how often. */
  eachUse(document: number, visit: (word: number, count: number) => void): void;
  symbols(document: number): SymbolDefinition[];
  imports(document: number): ImportReference[];
}

/** An opened index, as the stages behind the store see it. */
export interface IndexView {
  readonly snapshot: Snapshot;
  readonly links: FileLinks;
  segment(number: number): SegmentView;
  segmentOf(file: SnapshotFile): SegmentView;
}
