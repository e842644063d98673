const CLOSERS: Readonly<Record<string, string>> = { '{': '}', '(': ')' };

/** How far to look: each of many brackets that never close would cost the whole file. */
const MAX_REACH = 40_000;

/** Where the bracket at an offset is closed (the offset behind it), or -1. Strings are not told apart from code. */
export function closingBracket(text: string, opening: number): number {
  const open = text[opening] ?? '';
  const close = CLOSERS[open];
  if (close === undefined) return -1;
  let depth = 0;
  for (let at = opening; at < Math.min(text.length, opening + MAX_REACH); at++) {
    if (text[at] === open) depth++;
    else if (text[at] === close && --depth === 0) return at + 1;
  }
  return -1;
}
