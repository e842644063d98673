// Replaces secrets in a text and says what was replaced, on which line.

import { findSecrets, type SecretSpan } from './find-secrets.ts';

/**
 * The path for text without a file: output of tools and gates, commit messages. A value needs no
 * quotes there, as in files of settings, whose name this is.
 */
export const NO_FILE = 'no-file/.env';
/** A file in which values need no quotes, and only names that say so make them secrets. */
const SETTINGS_FILE = 'no-file/settings.ini';

/** A secret that was removed from a file, without its value. */
export interface SecretFinding {
  readonly kind: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** How many of this kind on this line. */
  readonly count: number;
}

/** A text without its secrets, and a list of them. */
export interface RedactedText {
  readonly text: string;
  readonly findings: readonly SecretFinding[];
  /** Where an offset of the text as it was lies now; inside a secret: the start of its replacement. */
  readonly moveOffset: (offset: number) => number;
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Replacing one secret may uncover another. A file that needs more rounds than this was made to. */
const MAX_ROUNDS = 4;

const unmoved = (offset: number) => offset;

/** Line ends inside a secret stay, so that every line keeps its number. */
function standIn(kind: string, secret: string): string {
  return `[redacted: ${kind}]${secret.replace(/[^\n]+/g, (run) => (run.endsWith('\r') ? '\r' : ''))}`;
}

function moveThrough(replacements: readonly Replacement[]): (offset: number) => number {
  return (offset) => {
    let shift = 0;
    for (const { start, end, text } of replacements) {
      if (offset <= start) break;
      if (offset < end) return start + shift;
      shift += text.length - (end - start);
    }
    return offset + shift;
  };
}

/**
 * `NAME=value` as a shell prints it. A line of code has spaces around the sign, calls something, or counts, and
 * `KEY=VALUE` comes from a manual.
 */
function isPrintedVariable(text: string, { kind, start, end }: SecretSpan): boolean {
  if (kind !== 'environment-value') return true;
  const value = text.slice(start, end);
  const before = text.slice(Math.max(0, start - MAX_NAME), start);
  if (PASSWORD_LINE.test(before))
    return value.length >= 8 && !CODE.test(value) && !SAID_OF_PASSWORD.test(value);
  return /=["']?$/.test(before) && !/^\s|[()[\]{}]|^\d+$|^[\w.]+\.[\w.]+$|^@?[A-Z_]+$/.test(value);
}

/** `password: ` and `db_password: `, as a file of settings has it that a tool printed. */
const PASSWORD_LINE = /(?:^|[\s_-])(?:password|passwd|passphrase|passcode|pwd): {0,4}$/i;
/** More than one word, calls, members, names of types and variables. */
const CODE = /[\s()[\]{}<>,;.|]|^[A-Z][a-z]+(?:[A-Z][a-z]*)*$|^[a-z]+(?:[A-Z][a-z]+)+$/;
/** Words that types, forms and errors use about a password. */
const SAID_OF_PASSWORD =
  /^(?:required|optional|missing|incorrect|(?:in)?valid|expired|(?:un)?changed|accepted|rejected|disabled|enabled|protected|encrypted|provided|forgotten|undefined|nullable|unknown|password|varchar\d*|(?:non_?empty_?)?string|(?:byte)?array|boolean|integer|nothing|anything|something)$/i;

const SIGN = /(?:=|: )(?=\S{5})/g;
const NAME_CHARACTER = /[\w-]/;
const SECRET_NAME = /pass|pwd|secret|token|key|cred|dsn|salt|private/i;
const MAX_NAME = 100;
/** A quote or a backslash ends it: the sentence may be inside a JSON string. */
const VALUE = /[^\s"'`\\]{5,500}/y;

/** `name=value` and `name: value` inside a sentence, where neither begins nor ends a line. */
function spansInSentences(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let free = 0;
  for (const { index, 0: sign } of text.matchAll(SIGN)) {
    if (index < free) continue;
    const first = Math.max(free, index - MAX_NAME);
    let start = index;
    while (start > first && NAME_CHARACTER.test(text[start - 1]!)) start--;
    const name = text.slice(start, index);
    if (!SECRET_NAME.test(name)) continue;
    VALUE.lastIndex = index + sign.length;
    const value = VALUE.exec(text)?.[0];
    if (value === undefined) continue;
    free = index + sign.length + value.length;
    const alone = name + sign + value;
    // a word in a sentence is not a password, unless the sentence ends with it
    const isLast = /^[ \t]*(?:\r?\n|$)/.test(text.slice(free, free + 40));
    const isMeant = (span: SecretSpan) => isPrintedVariable(alone, span) && (isLast || sign === '=');
    const found = findSecrets(alone, NO_FILE).filter(isMeant);
    for (const span of found.length > 0 ? found : findSecrets(alone, SETTINGS_FILE))
      spans.push({ ...span, start: start + span.start, end: start + span.end });
  }
  return spans;
}

function spansIn(text: string, path: string): SecretSpan[] {
  const spans = findSecrets(text, path);
  if (path !== NO_FILE) return spans;
  const meant = spans.filter((span) => isPrintedVariable(text, span));
  // A setting that is not printed as a variable may still be a secret by its name.
  const others = meant.length < spans.length ? findSecrets(text, SETTINGS_FILE) : [];
  const all = [...meant, ...others.filter((other) => !meant.some((span) => overlap(span, other)))];
  return all.length > 0 ? all.sort((a, b) => a.start - b.start) : spansInSentences(text);
}

function overlap(one: SecretSpan, other: SecretSpan): boolean {
  return one.start < other.end && other.start < one.end;
}

class LineCounter {
  #at = 0;
  #line = 1;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** Offsets must not go back. */
  lineOf(offset: number): number {
    for (let end = this.#text.indexOf('\n', this.#at); end !== -1 && end < offset; ) {
      this.#line++;
      this.#at = end + 1;
      end = this.#text.indexOf('\n', this.#at);
    }
    return this.#line;
  }
}

/**
 * Replaces secrets by `[redacted: kind]`. Works on the whole text of a file, before excerpts are cut from it, so
 * that no cut can hide a part of one.
 */
export function redactSecrets(text: string, path: string): RedactedText {
  const counts = new Map<string, { kind: string; line: number; count: number }>();
  let current = text;
  let moveOffset = unmoved;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const spans = spansIn(current, path);
    if (spans.length === 0) break;
    const lines = new LineCounter(current);
    const replacements: Replacement[] = [];
    const pieces: string[] = [];
    let done = 0;
    for (const { kind, start, end } of spans) {
      const line = lines.lineOf(start);
      const known = counts.get(`${line} ${kind}`);
      if (known === undefined) counts.set(`${line} ${kind}`, { kind, line, count: 1 });
      else known.count++;
      const replacement = { start, end, text: standIn(kind, current.slice(start, end)) };
      replacements.push(replacement);
      pieces.push(current.slice(done, start), replacement.text);
      done = end;
    }
    pieces.push(current.slice(done));
    current = pieces.join('');
    const [earlier, now] = [moveOffset, moveThrough(replacements)];
    moveOffset = earlier === unmoved ? now : (offset) => now(earlier(offset));
  }
  const findings = [...counts.values()]
    .map((one) => ({ ...one, path }))
    .sort((a, b) => a.line - b.line || (a.kind < b.kind ? -1 : 1));
  return { text: current, findings, moveOffset };
}
