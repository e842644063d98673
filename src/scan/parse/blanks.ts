// Blanking: parts of a text that a parser need not see, such as function bodies. They are replaced by spaces, or left
// out altogether, and offsets are translated back.

/** Ranges of a text that hold nothing to find. */
export interface Blanks {
  /** In order, not overlapping, at least three characters each. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** Put in place of the first and last character of each range, so that the parser still finds an expression there. */
  readonly brackets: readonly [open: string, close: string] | null;
}

/** A shortened text, and the way from its offsets to those of the original. */
export interface ShortenedText {
  readonly text: string;
  readonly originOf: (offset: number) => number;
}

/** A text that was not shortened. */
export function asItIs(text: string): ShortenedText {
  return { text, originOf: (offset) => offset };
}

/** Replaces the ranges by spaces. Offsets stay the same. */
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

/** Replaces each range by a single space, because a grammar would look at every one of them. */
export function leaveOut(text: string, { ranges, brackets }: Blanks): ShortenedText {
  if (ranges.length === 0) return asItIs(text);
  const [open, close] = brackets ?? ['', ''];
  // For each range: its place in the short text, and how many characters are missing up to there.
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

/** The role of a bracket, which decides whether its content may be blanked. `KEEP`: never. */
export const KEEP = 0;
/** The body of a function. */
export const BODY = 1;
/** An object or a list: a function in it is a definition, while one in a body is not. */
export const VALUE = 2;
/** `${` of a template literal. */
export const TEMPLATE = 3;
/** `type A = {`: nothing in it is a definition. */
export const ALIAS = 4;
/** One of the constants above. Numbers, because the scanner compares them for every bracket. */
export type Opened = typeof KEEP | typeof BODY | typeof VALUE | typeof TEMPLATE | typeof ALIAS;

/** A bracket that is open while a script is scanned. */
export interface OpenBracket {
  /** Offset after the bracket. */
  readonly start: number;
  readonly opened: Opened;
  /** Code of the bracket that closes it. */
  readonly closer: number;
  /** Round brackets that were open when this one was opened. */
  readonly parenDepth: number;
  /** Something inside must stay: a definition, an import or a test. */
  hasKept: boolean;
  /** There is a function inside. */
  hasFunction: boolean;
  /** The number of blanked ranges before it. When its whole content is blanked, later ones are dropped. */
  readonly rangesBefore: number;
}

/** Whether the content of a bracket that was just closed may be blanked. */
export function isBlank({ opened, hasKept, hasFunction }: OpenBracket): boolean {
  if (hasKept || opened === KEEP || opened === TEMPLATE) return false;
  return opened !== VALUE || !hasFunction;
}
