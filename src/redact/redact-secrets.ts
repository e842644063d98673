import { findSecrets, type SecretSpan } from './find-secrets.ts';

/**
 * Stands for the file of a text that has none: what a tool or a gate printed, a message of a commit. A value needs no
 * quotes there, as in files of settings, whose name this is.
 */
export const NO_FILE = 'no-file/.env';

/** What was taken out of a file. The value itself is nowhere in here. */
export interface SecretFinding {
  readonly kind: string;
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** How many of this kind on this line. */
  readonly count: number;
}

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

/** Taking one secret out may lay another bare; a file that goes on longer than this was made to. */
const MOST_ROUNDS = 4;

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

/** `NAME=value` as a shell prints it. A line of code has spaces around the sign, calls something, or counts. */
function isPrintedVariable(text: string, { start, end }: SecretSpan): boolean {
  return (
    /=["']?$/.test(text.slice(Math.max(0, start - 2), start)) &&
    !/^\s|[()[\]{}]|^\d+$|^[\w.]+\.[\w.]+$/.test(text.slice(start, end))
  );
}

/** Blanks around `NAME=value` and behind `name: value`: inside a sentence they are where the line would end. */
const AROUND_VALUE = /[ \t]+(?=[A-Za-z_]\w{2,60}=\S)|(?<=\w(?:=|: )\S{5,500})\s/g;

function spansIn(text: string, path: string): SecretSpan[] {
  if (path !== NO_FILE) return findSecrets(text, path);
  const isMeant = (span: SecretSpan) => span.kind !== 'environment-value' || isPrintedVariable(text, span);
  const spans = findSecrets(text, path).filter(isMeant);
  if (spans.length > 0) return spans;
  const apart = text.replace(AROUND_VALUE, (blanks) => '\n'.repeat(blanks.length));
  return apart === text ? [] : findSecrets(apart, path).filter(isMeant);
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
  for (let round = 0; round < MOST_ROUNDS; round++) {
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
