import { LoadoutError } from '../../model/loadout-error.ts';

/** A value of a JSON text and where it stands. */
export interface JsonNode {
  readonly kind: 'object' | 'array' | 'other';
  readonly start: number;
  /** Behind its last character. */
  readonly end: number;
  readonly members: readonly JsonMember[];
  /** Where something can be added: behind the last member and its comma, or behind the opening bracket. */
  readonly insertAt: number;
  /** A comma stands in front of that place already. */
  readonly hasTrailingComma: boolean;
  readonly value: unknown;
}

export interface JsonMember {
  /** Of an object's member; empty in an array. */
  readonly key: string;
  /** Of the key, or of the value in an array. */
  readonly start: number;
  readonly node: JsonNode;
  /** Where the comma behind it stands; null without one. */
  readonly comma: number | null;
}

const SKIP = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const LITERAL = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const MAX_LEVELS = 200;

/** Reads JSON, also with the comments and trailing commas that many clients allow; null for a text without a value. */
export function outlineJson(text: string, name: string): JsonNode | null {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const reader = new OutlineReader(text, name, start);
  reader.skip();
  if (reader.at === text.length) return null;
  const node = reader.value(0);
  reader.skip();
  if (reader.at < text.length) throw reader.failure('nothing may follow the value');
  return node;
}

class OutlineReader {
  at: number;
  readonly #text: string;
  readonly #name: string;

  constructor(text: string, name: string, start: number) {
    this.#text = text;
    this.#name = name;
    this.at = start;
  }

  skip(): void {
    this.#take(SKIP);
  }

  value(level: number): JsonNode {
    if (level > MAX_LEVELS) throw this.failure(`more than ${MAX_LEVELS} levels`);
    const start = this.at;
    const character = this.#text[start];
    if (character === '{' || character === '[') return this.#container(character, level);
    const literal = character === '"' ? this.#take(STRING) : this.#take(LITERAL);
    if (literal === '') throw this.failure('a value is expected here');
    return {
      kind: 'other',
      start,
      end: this.at,
      members: [],
      insertAt: this.at,
      hasTrailingComma: false,
      value: this.#parse(literal),
    };
  }

  #container(open: '{' | '[', level: number): JsonNode {
    const start = this.at++;
    const close = open === '{' ? '}' : ']';
    const members: JsonMember[] = [];
    let insertAt = this.at;
    let hasTrailingComma = false;
    for (;;) {
      this.skip();
      if (this.#text[this.at] === close) break;
      if (members.length > 0 && !hasTrailingComma) throw this.failure(`"," or "${close}" is expected here`);
      const memberStart = this.at;
      const key = open === '{' ? this.#key() : '';
      const node = this.value(level + 1);
      insertAt = this.at;
      this.skip();
      hasTrailingComma = this.#text[this.at] === ',';
      members.push({ key, start: memberStart, node, comma: hasTrailingComma ? this.at : null });
      if (hasTrailingComma) insertAt = ++this.at;
    }
    this.at++;
    const values = members.map(({ key, node }) => [key, node.value] as const);
    return {
      kind: open === '{' ? 'object' : 'array',
      start,
      end: this.at,
      members,
      insertAt,
      hasTrailingComma,
      value: open === '{' ? Object.fromEntries(values) : values.map(([, value]) => value),
    };
  }

  #key(): string {
    const literal = this.#take(STRING);
    if (literal === '') throw this.failure('a name in quotes is expected here');
    this.skip();
    if (this.#text[this.at] !== ':') throw this.failure('":" is expected here');
    this.at++;
    this.skip();
    return String(this.#parse(literal));
  }

  #parse(literal: string): unknown {
    try {
      return JSON.parse(literal);
    } catch {
      throw this.failure(`${literal.slice(0, 40)} is not valid`);
    }
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.at += found.length;
    return found;
  }

  failure(message: string): LoadoutError {
    const line = this.#text.slice(0, this.at).split('\n').length;
    return new LoadoutError('bad-settings-file', `${this.#name}:${line}: ${message}`, {
      subject: this.#name,
      hint: 'correct the file first; nothing was written',
    });
  }
}
