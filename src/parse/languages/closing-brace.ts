/** Where the brace that opens at an offset is closed (behind it), or -1; strings and comments are not told apart. */
export function closingBrace(text: string, opening: number): number {
  if (text[opening] !== '{') return -1;
  let depth = 0;
  for (let at = opening; at < text.length; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at + 1;
  }
  return -1;
}
