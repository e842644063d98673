import { type FileWords, type Vocabulary, WORD_FIELD, type WordField } from '../model/file-words.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import { type Language, type Lexis, NO_LEXIS } from './language.ts';
import { HASH_START, hashStep, WordTable } from './word-table.ts';

const OTHER = 1;
const WORD = 2;

/** Character classes, filled as characters are met: most files need a hundred of the 65,536. */
const classes = new Uint8Array(65_536);

function classOf(code: number): number {
  const known = classes[code]!;
  if (known !== 0) return known;
  const kind = /[\p{L}\p{M}\p{N}_]/u.test(String.fromCharCode(code)) ? WORD : OTHER;
  classes[code] = kind;
  return kind;
}

const NEWLINE = 10;
const BACKSLASH = 92;

/** A string or comment that runs on for longer was not one: the rest is read as code. */
const MAX_RUNAWAY = 200_000;

/** Longer runs are encoded data, not words. */
const MAX_WORD = 64;

interface Marker {
  readonly open: string;
  readonly close: string;
  readonly field: WordField;
  readonly escapes: boolean;
  readonly oneLine: boolean;
}

interface Markers {
  /** 1 for each character that some marker begins with: most characters need no further look. */
  readonly first: Uint8Array;
  readonly byFirst: ReadonlyMap<number, readonly Marker[]>;
}

const markersOf = new WeakMap<Lexis, Markers>();

/** Comment and string openers by first character, longest first. */
function markers(lexis: Lexis): Markers {
  const known = markersOf.get(lexis);
  if (known) return known;
  const all: Marker[] = [
    ...lexis.lineComments.map((open) => ({
      open,
      close: '\n',
      field: WORD_FIELD.comment,
      escapes: false,
      oneLine: true,
    })),
    ...lexis.blockComments.map(([open, close]) => ({
      open,
      close,
      field: WORD_FIELD.comment,
      escapes: false,
      oneLine: false,
    })),
    ...lexis.strings.map(({ open, close, multiline }) => ({
      open,
      close,
      field: WORD_FIELD.string,
      escapes: true,
      oneLine: !multiline,
    })),
  ].sort((a, b) => b.open.length - a.open.length);
  const byFirst = new Map<number, Marker[]>();
  for (const marker of all) {
    const first = marker.open.charCodeAt(0);
    byFirst.set(first, [...(byFirst.get(first) ?? []), marker]);
  }
  const first = new Uint8Array(65_536);
  for (const code of byFirst.keys()) first[code] = 1;
  const found = { first, byFirst };
  markersOf.set(lexis, found);
  return found;
}

/** Where what `marker` opened at `from` ends (behind its close), or -1 when it does not. */
function endOf(text: string, marker: Marker, from: number): number {
  const limit = Math.min(text.length, from + MAX_RUNAWAY);
  if (!marker.escapes) {
    const at = text.indexOf(marker.close, from);
    if (at === -1) return marker.oneLine ? text.length : -1;
    return at > limit && !marker.oneLine ? -1 : at + (marker.oneLine ? 0 : marker.close.length);
  }
  const first = marker.close.charCodeAt(0);
  for (let at = from; at < limit; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === NEWLINE && marker.oneLine) return at;
    else if (code === first && text.startsWith(marker.close, at)) return at + marker.close.length;
  }
  return -1;
}

/** Keeps the words of all files it has read, so that each is looked up once wherever it stands. */
class WordCollector {
  readonly table = new WordTable();
  /** By word: the last file that had it, and its place among that file's distinct words. */
  #lastFile = new Uint32Array(4096);
  #place = new Uint32Array(4096);
  #file = 0;
  #distinct = new Uint32Array(1024);
  #distinctCount = 0;
  #occurrences = new Uint32Array(4096);
  #lines = new Uint32Array(4096);
  #fields = new Uint8Array(4096);
  #count = 0;

  begin(): void {
    this.#file++;
    this.#distinctCount = 0;
    this.#count = 0;
  }

  /** Takes the word at `[start, end)` of a text, whose hash is known from looking for its end. */
  add(text: string, start: number, end: number, hash: number, line: number, field: WordField): void {
    const id = this.table.idAt(text, start, end, hash);
    if (WordTable.isRejected(id)) return;
    if (id >= this.#lastFile.length) {
      this.#lastFile = grown(this.#lastFile);
      this.#place = grown(this.#place);
    }
    if (this.#lastFile[id] !== this.#file) {
      this.#lastFile[id] = this.#file;
      this.#place[id] = this.#distinctCount;
      if (this.#distinctCount === this.#distinct.length) this.#distinct = grown(this.#distinct);
      this.#distinct[this.#distinctCount++] = id;
    }
    if (this.#count === this.#occurrences.length) {
      this.#occurrences = grown(this.#occurrences);
      this.#lines = grown(this.#lines);
      const fields = new Uint8Array(this.#fields.length * 2);
      fields.set(this.#fields);
      this.#fields = fields;
    }
    this.#occurrences[this.#count] = this.#place[id]!;
    this.#lines[this.#count] = line;
    this.#fields[this.#count++] = field;
  }

  /** Views of what the current file gave; the next `begin` takes them back. */
  finish(): FileWords {
    return {
      distinct: this.#distinct.subarray(0, this.#distinctCount),
      occurrences: this.#occurrences.subarray(0, this.#count),
      lines: this.#lines.subarray(0, this.#count),
      fields: this.#fields.subarray(0, this.#count),
    };
  }
}

function grown(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}

export interface Tokenizer {
  readonly vocabulary: Vocabulary;
  /** The words of a file. What it returns is good until the next call. */
  tokenize(text: string, language: Language | null, symbols: readonly SymbolDefinition[]): FileWords;
}

/** Splits texts into words, each with its line and whether it is code, comment, string or the name of a definition. */
export function createTokenizer(): Tokenizer {
  const collector = new WordCollector();
  return {
    vocabulary: collector.table,
    tokenize: (text, language, symbols) => {
      collector.begin();
      collectWords(text, language, symbols, collector);
      return collector.finish();
    },
  };
}

function collectWords(
  text: string,
  language: Language | null,
  symbols: readonly SymbolDefinition[],
  columns: WordCollector,
): void {
  const openers = markers(language?.lexis ?? NO_LEXIS);
  // prose is one long comment: its words are no uses of a name
  const outside = language && language.kind !== 'prose' ? WORD_FIELD.code : WORD_FIELD.comment;
  const names = symbols
    .map(({ nameStart, name }) => ({ start: nameStart, end: nameStart + name.length }))
    .sort((a, b) => a.start - b.start);
  let nextName = 0;
  let line = 1;
  let field: WordField = outside;
  let fieldEnd = 0;
  for (let at = 0; at < text.length; ) {
    if (field !== outside && at >= fieldEnd) field = outside;
    const code = text.charCodeAt(at);
    if (code === NEWLINE) line++;
    if (classOf(code) === WORD) {
      const start = at;
      let hash = HASH_START;
      for (let next = code; ; next = text.charCodeAt(at)) {
        if (classOf(next) !== WORD) break;
        hash = hashStep(hash, next);
        if (++at === text.length) break;
      }
      while (nextName < names.length && names[nextName]!.end <= start) nextName++;
      const isName = nextName < names.length && names[nextName]!.start <= start;
      if (at - start <= MAX_WORD)
        columns.add(text, start, at, hash, line, isName ? WORD_FIELD.definition : field);
      continue;
    }
    if (field === outside && openers.first[code] === 1) {
      const marker = openers.byFirst.get(code)?.find(({ open }) => text.startsWith(open, at));
      const end = marker ? endOf(text, marker, at + marker.open.length) : -1;
      if (marker && end !== -1) {
        field = marker.field;
        fieldEnd = end;
        at += marker.open.length;
        if (marker.open.includes('\n')) line++;
        continue;
      }
    }
    at++;
  }
}
