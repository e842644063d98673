import { type FileWords, WORD_FIELD, type WordField } from '../model/file-words.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import { type Language, type Lexis, NO_LEXIS } from './language.ts';

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

const markersOf = new WeakMap<Lexis, ReadonlyMap<number, readonly Marker[]>>();

/** Comment and string openers by first character, longest first. */
function markers(lexis: Lexis): ReadonlyMap<number, readonly Marker[]> {
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
  markersOf.set(lexis, byFirst);
  return byFirst;
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

const REJECTED = -1;
const ONLY_DIGITS = /^[0-9]+$/;
const HEXADECIMAL = /^(?=(?:.*[0-9]){2})[0-9a-fA-F]{6,}$/;

/** Ids, hashes and long numbers are no words anybody asks for, and data files are full of them. */
function worthKeeping(word: string): boolean {
  if (word.length === 1) return word > '9';
  if (word.length >= 6 && HEXADECIMAL.test(word)) return false;
  return word.length <= 6 || !ONLY_DIGITS.test(word);
}

class Columns {
  #ids = new Uint32Array(1024);
  #lines = new Uint32Array(1024);
  #fields = new Uint8Array(1024);
  #count = 0;
  readonly #known = new Map<string, number>();
  readonly #words: string[] = [];

  add(word: string, line: number, field: WordField): void {
    let id = this.#known.get(word);
    if (id === undefined) {
      id = worthKeeping(word) ? this.#words.push(word) - 1 : REJECTED;
      this.#known.set(word, id);
    }
    if (id === REJECTED) return;
    if (this.#count === this.#ids.length) this.#grow();
    this.#ids[this.#count] = id;
    this.#lines[this.#count] = line;
    this.#fields[this.#count++] = field;
  }

  #grow(): void {
    const size = this.#ids.length * 2;
    const grow = <T extends Uint32Array | Uint8Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.#ids = grow(new Uint32Array(size), this.#ids);
    this.#lines = grow(new Uint32Array(size), this.#lines);
    this.#fields = grow(new Uint8Array(size), this.#fields);
  }

  finish(): FileWords {
    const end = this.#count;
    return {
      words: this.#words,
      wordIds: this.#ids.subarray(0, end),
      lines: this.#lines.subarray(0, end),
      fields: this.#fields.subarray(0, end),
    };
  }
}

/** Splits a text into words, each with its line and whether it is code, comment, string or the name of a definition. */
export function tokenize(
  text: string,
  language: Language | null,
  symbols: readonly SymbolDefinition[],
): FileWords {
  const columns = new Columns();
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
      while (at < text.length && classOf(text.charCodeAt(at)) === WORD) at++;
      while (nextName < names.length && names[nextName]!.end <= start) nextName++;
      const isName = nextName < names.length && names[nextName]!.start <= start;
      if (at - start <= MAX_WORD)
        columns.add(text.slice(start, at), line, isName ? WORD_FIELD.definition : field);
      continue;
    }
    if (field === outside) {
      const marker = openers.get(code)?.find(({ open }) => text.startsWith(open, at));
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
  return columns.finish();
}
