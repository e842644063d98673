// Splits a text into words and says of each whether it is code, a comment, a string or the name of a definition. It
// runs over every character of every file, so it works on numbers and allocates little.
import { type FileWords, type Vocabulary, WORD_FIELD, type WordField } from '../../model/parsed-file.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { type Language, type Lexis, NO_LEXIS } from './language.ts';
import { HASH_START, hashStep, WordTable } from './word-table.ts';

/** Kinds of characters. */
const OTHER = 1;
const WORD = 2;
const OPENER = 3;
const LINE_END = 4;

/** The kind of a character in a language. `kinds` is filled as characters appear: most files need about a hundred. */
function classify(code: number, { kinds, byFirst }: Markers): number {
  const isWord = /[\p{L}\p{M}\p{N}_]/u.test(String.fromCharCode(code));
  const kind = isWord ? WORD : code === NEWLINE ? LINE_END : byFirst.has(code) ? OPENER : OTHER;
  kinds[code] = kind;
  return kind;
}

const NEWLINE = 10;
const BACKSLASH = 92;

/** Characters. A longer string or comment is taken for a mistake, and its text for code. */
const MAX_RUNAWAY = 200_000;

/** Longer runs are encoded data, not words. */
const MAX_WORD = 64;

/** A pair of marks around a comment or string. */
interface Marker {
  readonly open: string;
  readonly close: string;
  readonly field: WordField;
  readonly escapes: boolean;
  readonly oneLine: boolean;
}

interface Markers {
  /** The kind of each character; 0 for those that did not appear yet. */
  readonly kinds: Uint8Array;
  readonly byFirst: ReadonlyMap<number, readonly Marker[]>;
}

const markersOf = new WeakMap<Lexis, Markers>();

/** Comment and string openers by first character, longest first. */
function markers(lexis: Lexis): Markers {
  const known = markersOf.get(lexis);
  if (known) return known;
  const comment = { field: WORD_FIELD.comment, escapes: false } as const;
  const string = { field: WORD_FIELD.string, escapes: true } as const;
  const all: Marker[] = [
    ...lexis.lineComments.map((open) => ({ ...comment, open, close: '\n', oneLine: true })),
    ...lexis.blockComments.map(([open, close]) => ({ ...comment, open, close, oneLine: false })),
    ...lexis.strings.map(({ open, close, multiline }) => ({ ...string, open, close, oneLine: !multiline })),
  ].sort((a, b) => b.open.length - a.open.length);
  const byFirst = new Map<number, Marker[]>();
  for (const marker of all) {
    const first = marker.open.charCodeAt(0);
    byFirst.set(first, [...(byFirst.get(first) ?? []), marker]);
  }
  const found = { kinds: new Uint8Array(65_536), byFirst };
  markersOf.set(lexis, found);
  return found;
}

/**
 * Finds the end of a comment or string that a marker opened. No part of the text is searched twice for the same kind of marker: otherwise a
 * file of nothing but openers would take quadratic time. Openers must be asked for in the order of the text.
 */
class CloseSearch {
  readonly #marker: Marker;
  readonly #text: string;
  readonly #codes: Uint16Array;
  /** There is no close before this place. */
  #searched = 0;

  constructor(marker: Marker, text: string, codes: Uint16Array) {
    this.#marker = marker;
    this.#text = text;
    this.#codes = codes;
  }

  /** The offset after the close; -1 when it is missing or too far away. */
  endFrom(from: number): number {
    const limit = Math.min(this.#text.length, from + MAX_RUNAWAY);
    this.#searched = Math.max(this.#searched, from);
    return this.#marker.escapes ? this.#stringEnd(limit) : this.#commentEnd(limit);
  }

  #commentEnd(limit: number): number {
    const { close, oneLine } = this.#marker;
    const found = this.#text.indexOf(close, this.#searched);
    this.#searched = found === -1 ? this.#text.length : found;
    if (oneLine) return this.#searched;
    return found === -1 || found > limit ? -1 : found + close.length;
  }

  /** An opener never ends with a backslash, so all searches agree on which characters are escaped. */
  #stringEnd(limit: number): number {
    const { close, oneLine } = this.#marker;
    const codes = this.#codes;
    const first = close.charCodeAt(0);
    let at = this.#searched;
    let end = -1;
    for (; at < limit && end === -1; at++) {
      const code = codes[at]!;
      if (code === BACKSLASH) at++;
      else if (code === NEWLINE && oneLine) end = at;
      else if (code === first && this.#text.startsWith(close, at)) end = at + close.length;
    }
    this.#searched = end === -1 ? at : at - 1;
    return end;
  }
}

interface Tokenizer {
  readonly vocabulary: Vocabulary;
  /** Splits one file. The result is valid until the next call. */
  tokenize(text: string, language: Language | null, symbols: readonly SymbolDefinition[]): FileWords;
}

/**
 * Splits texts into words, each with its line and its field. The columns are reused from file to file, and the
 * vocabulary grows, so that each word is stored once. The main loop is long because function calls in it would cost a
 * tenth of a scan.
 */
export function createTokenizer(): Tokenizer {
  const table = new WordTable();
  /** By word: the last file that had it, and its place among that file's distinct words. */
  let lastFile = new Uint32Array(4_096);
  let place = new Uint32Array(4_096);
  let distinct = new Uint32Array(0);
  let occurrences = new Uint32Array(0);
  let lines = new Uint32Array(0);
  let fields = new Uint8Array(0);
  let distinctCount = 0;
  let nameStarts = new Uint32Array(256);
  let nameEnds = new Uint32Array(256);
  let file = 0;

  /** A text of n characters has at most half as many words. */
  function reserve(characters: number): void {
    const most = (characters >> 1) + 1;
    if (most <= occurrences.length) return;
    const size = Math.max(most, occurrences.length * 2);
    distinct = new Uint32Array(size);
    occurrences = new Uint32Array(size);
    lines = new Uint32Array(size);
    fields = new Uint8Array(size);
  }

  function tokenize(
    text: string,
    language: Language | null,
    symbols: readonly SymbolDefinition[],
  ): FileWords {
    reserve(text.length);
    // Prose counts as a comment: its words are not uses of names.
    const outside = language && language.kind !== 'prose' ? WORD_FIELD.code : WORD_FIELD.comment;
    placeNames(symbols);
    const count = split(text, markers(language?.lexis ?? NO_LEXIS), outside, symbols.length);
    return {
      distinct: distinct.subarray(0, distinctCount),
      occurrences: occurrences.subarray(0, count),
      lines: lines.subarray(0, count),
      fields: fields.subarray(0, count),
    };
  }

  /** Notes where names of definitions begin and end, in order. */
  function placeNames(symbols: readonly SymbolDefinition[]): void {
    if (symbols.length > nameStarts.length) {
      nameStarts = new Uint32Array(symbols.length * 2);
      nameEnds = new Uint32Array(symbols.length * 2);
    }
    const sorted = [...symbols].sort((a, b) => a.nameStart - b.nameStart);
    sorted.forEach(({ nameStart, name }, at) => {
      nameStarts[at] = nameStart;
      nameEnds[at] = nameStart + name.length;
    });
  }

  /**
   * Fills the columns and returns the number of words. It is a function of its own because V8 optimizes it during its
   * first run: any shape of data that appears later would undo that, and languages come in many shapes.
   */
  function split(text: string, openers: Markers, outside: WordField, nameCount: number): number {
    file++;
    let seen = 0;
    const codes = textCodes(text);
    const length = codes.length;
    const { kinds } = openers;
    const searches = new Map<Marker, CloseSearch>();
    let count = 0;
    let nextName = 0;
    let line = 1;
    let field: WordField = outside;
    let fieldEnd = 0;
    let at = 0;
    while (at < length) {
      if (field !== outside && at >= fieldEnd) field = outside;
      const code = codes[at]!;
      const kind = kinds[code] || classify(code, openers);
      if (kind !== WORD) {
        if (kind === LINE_END) line++;
        else if (kind === OPENER && field === outside) {
          const marker = openers.byFirst.get(code)!.find(({ open }) => text.startsWith(open, at));
          if (marker) {
            const search = searches.get(marker) ?? new CloseSearch(marker, text, codes);
            searches.set(marker, search);
            const end = search.endFrom(at + marker.open.length);
            if (end !== -1) {
              field = marker.field;
              fieldEnd = end;
              at += marker.open.length;
              continue;
            }
          }
        }
        at++;
        continue;
      }
      const start = at;
      let hash = hashStep(HASH_START, code);
      while (++at < length) {
        const next = codes[at]!;
        if ((kinds[next] || classify(next, openers)) !== WORD) break;
        hash = hashStep(hash, next);
      }
      while (nextName < nameCount && nameEnds[nextName]! <= start) nextName++;
      if (at - start > MAX_WORD) continue;
      const id = table.idAt(codes, start, at, hash);
      if (id < 0) continue;
      if (id >= lastFile.length) {
        lastFile = grown(lastFile);
        place = grown(place);
      }
      if (lastFile[id] !== file) {
        lastFile[id] = file;
        place[id] = seen;
        distinct[seen++] = id;
      }
      occurrences[count] = place[id]!;
      lines[count] = line;
      const isName = nextName < nameCount && nameStarts[nextName]! <= start;
      fields[count++] = isName ? WORD_FIELD.definition : field;
    }
    distinctCount = seen;
    return count;
  }

  return { vocabulary: table, tokenize };
}

/** Twice the room, with the old content. */
function grown(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}

const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

let room = Buffer.alloc(1 << 17);

/** The code units of a text, valid until the next call. Loops over every character are twice as fast on numbers. */
export function textCodes(text: string): Uint16Array {
  if (room.length < text.length * 2) room = Buffer.alloc(text.length * 3);
  if (IS_LITTLE_ENDIAN) room.write(text, 'utf16le');
  const codes = new Uint16Array(room.buffer, room.byteOffset, text.length);
  if (!IS_LITTLE_ENDIAN) for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}
