// Reads JSON files of users with the line and column of every value, so that errors can name the place. Refuses
// what `JSON.parse` refuses, and keys that are set twice. See docs/adr/0024-own-json-reader.md.

import { readJson } from '../model/read-json.ts';
import {
  checkDocumentSize,
  documentError,
  MAX_DOCUMENT_LEVELS,
  type ParsedDocument,
  pointerTo,
  type TextPosition,
} from './parsed-document.ts';

/** Sticky patterns: each is tried at the place that was reached. */
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const STRING = /"[^"\\\r\n]*(\\.[^"\\\r\n]*)*"/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/** Plain JSON, read here rather than by `JSON.parse` to know the line of every value. */
export function parseJsonDocument(text: string, name: string): ParsedDocument {
  checkDocumentSize(text, name);
  const reader = new JsonReader(text.startsWith('\uFEFF') ? text.slice(1) : text, name);
  return { value: reader.readWhole(), positions: reader.positions };
}

/** A parser by descent. Nesting is limited, so that the stack cannot run out. */
class JsonReader {
  readonly positions = new Map<string, TextPosition>();
  private readonly text: string;
  private readonly name: string;
  private at = 0;
  private line = 1;
  private lineStart = 0;
  private level = 0;

  constructor(text: string, name: string) {
    this.text = text;
    this.name = name;
  }

  /** The value of the whole text. */
  readWhole(): unknown {
    const value = this.readValue('');
    this.skipSpace();
    if (this.at < this.text.length) this.fail('nothing may follow the value of the file');
    return value;
  }

  /** Any value; its place goes into `positions`. */
  private readValue(pointer: string): unknown {
    this.skipSpace();
    this.positions.set(pointer, this.position());
    const character = this.text[this.at];
    if (character === '{') return this.nested(() => this.readObject(pointer));
    if (character === '[') return this.nested(() => this.readArray(pointer));
    if (character === '"') return this.readString();
    const number = this.take(NUMBER);
    if (number) return Number(number);
    for (const [word, value] of WORDS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    if (character === '/') this.fail('comments are not allowed in JSON; use a .yaml file to keep them');
    return this.fail(
      character === undefined ? 'the file ends where a value should be' : 'a value should be here',
    );
  }

  /** An object, from its brace on. Keys such as `__proto__` become own properties. */
  private readObject(pointer: string): unknown {
    const entries = new Map<string, unknown>();
    this.at += 1;
    if (this.closes('}')) return {};
    do {
      this.skipSpace();
      if (this.text[this.at] !== '"') this.fail('a name in double quotes should be here');
      const start = this.position();
      const key = this.readString();
      if (entries.has(key)) throw documentError(this.name, start, `${JSON.stringify(key)} is set twice`);
      this.skipSpace();
      if (this.text[this.at] !== ':') this.fail('":" should be here');
      this.at += 1;
      entries.set(key, this.readValue(pointerTo(pointer, key)));
    } while (this.continues('}'));
    return Object.fromEntries(entries);
  }

  /** A list, from its bracket on. */
  private readArray(pointer: string): unknown {
    const items: unknown[] = [];
    this.at += 1;
    if (this.closes(']')) return items;
    do items.push(this.readValue(pointerTo(pointer, items.length)));
    while (this.continues(']'));
    return items;
  }

  private readString(): string {
    const start = this.position();
    const source = this.take(STRING);
    // Not every text that looks closed is one: JSON does not know all escapes and no control characters.
    const read = readJson(source);
    if (read.kind === 'json') return read.value as string;
    throw documentError(this.name, start, 'this text in quotes is not closed or has a bad escape');
  }

  /** Counts levels around `read`. */
  private nested(read: () => unknown): unknown {
    this.level += 1;
    if (this.level > MAX_DOCUMENT_LEVELS) this.fail(`more than ${MAX_DOCUMENT_LEVELS} levels of nesting`);
    const value = read();
    this.level -= 1;
    return value;
  }

  /** True after a comma; false after the closing mark. */
  private continues(close: string): boolean {
    if (this.closes(close)) return false;
    if (this.text[this.at] !== ',') this.fail(`"," or "${close}" should be here`);
    this.at += 1;
    return true;
  }

  /** Takes the closing mark when it is next. */
  private closes(close: string): boolean {
    this.skipSpace();
    if (this.text[this.at] !== close) return false;
    this.at += 1;
    return true;
  }

  /** Counts lines on the way. */
  private skipSpace(): void {
    const start = this.at;
    this.take(SPACE);
    for (let index = start; index < this.at; index += 1) {
      if (this.text[index] !== '\n') continue;
      this.line += 1;
      this.lineStart = index + 1;
    }
  }

  /** The match at the present place, which moves past it; empty without one. */
  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  /** 1-based, as editors count. */
  private position(): TextPosition {
    return { line: this.line, column: this.at - this.lineStart + 1 };
  }

  /** Throws the error for the present place. */
  private fail(what: string): never {
    throw documentError(this.name, this.position(), what);
  }
}
