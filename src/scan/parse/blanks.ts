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
