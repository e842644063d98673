/** Parts of a text in which nothing is looked for. */
export interface Blanks {
  /** In order, apart from each other, at least three characters each. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** Replace the first and last character of each range, so that the parser still finds an expression there. */
  readonly brackets: readonly [open: string, close: string] | null;
}

/** A text without its blanks, and the way back to the places where it came from. */
export interface ShortenedText {
  readonly text: string;
  readonly originOf: (offset: number) => number;
}

export function asItIs(text: string): ShortenedText {
  return { text, originOf: (offset) => offset };
}

/** The same text with blanks in place of what is not looked at: offsets stay as they are. */
export function blankOut(text: string, { ranges, brackets }: Blanks): string {
  const [open, close] = brackets ?? ['', ''];
  let blanked = '';
  let copied = 0;
  for (const [start, end] of ranges) {
    const width = end - start - open.length - close.length;
    blanked += `${text.slice(copied, start)}${open}${' '.repeat(width)}${close}`;
    copied = end;
  }
  return blanked + text.slice(copied);
}

/** Leaves one blank of each range: a grammar would look at every one of them. */
export function leaveOut(text: string, { ranges, brackets }: Blanks): ShortenedText {
  if (ranges.length === 0) return asItIs(text);
  const [open, close] = brackets ?? ['', ''];
  // where something was left out, and how much up to there
  const places = new Uint32Array(ranges.length);
  const missing = new Uint32Array(ranges.length + 1);
  let short = '';
  let copied = 0;
  ranges.forEach(([start, end], at) => {
    short += `${text.slice(copied, start)}${open} `;
    places[at] = short.length;
    missing[at + 1] = missing[at]! + (end - start) - open.length - 1 - close.length;
    short += close;
    copied = end;
  });
  const originOf = (offset: number): number => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (places[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return offset + missing[low]!;
  };
  return { text: short + text.slice(copied), originOf };
}

/** What a bracket opens, by what may be blanked in it. */
export const KEEP = 0;
export const BODY = 1;
/** An object or a list: a function in it is a definition, while one in a body is not. */
export const VALUE = 2;
export const TEMPLATE = 3;
/** `type A = {`: nothing in it is a definition. */
export const ALIAS = 4;
export type Opened = typeof KEEP | typeof BODY | typeof VALUE | typeof TEMPLATE | typeof ALIAS;

export interface OpenBracket {
  /** Behind the bracket. */
  readonly start: number;
  readonly opened: Opened;
  /** Code of the bracket that closes it. */
  readonly closer: number;
  readonly parenDepth: number;
  hasKept: boolean;
  hasFunction: boolean;
  /** Blanked ranges so far when it was opened: a blanked body swallows those inside it. */
  readonly rangesBefore: number;
}

/** Whether the content of a bracket that was just closed may be blanked. */
export function isBlank({ opened, hasKept, hasFunction }: OpenBracket): boolean {
  if (hasKept || opened === KEEP || opened === TEMPLATE) return false;
  return opened !== VALUE || !hasFunction;
}
