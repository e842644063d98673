const BEFORE_REGEX = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'delete',
  'void',
  'instanceof',
  'new',
  'throw',
  'await',
  'yield',
  'else',
  'do',
]);

/** 1 for characters of names and numbers; whatever is not ASCII counts as one. */
export const WORD_CODES = Uint8Array.from({ length: 65_536 }, (_, code) =>
  code > 127 || /[\w$]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Behind the string that opens at `at`; -1 when its line ends first. */
export function stringEnd(codes: Uint16Array, at: number): number {
  const quote = codes[at]!;
  const length = codes.length;
  for (let here = at + 1; here < length; here++) {
    const code = codes[here]!;
    if (code === 92) here++;
    else if (code === 10) return -1;
    else if (code === quote) return here + 1;
  }
  return -1;
}

/** Whether a slash is a regular expression rather than a division, by what stands in front of it. */
export function mayStartRegex(last: number, lastWord: () => string): boolean {
  if (last === 97) return BEFORE_REGEX.has(lastWord());
  return !(last === 41 || last === 93 || last === 96 || last === 34 || last === 39);
}

/** Behind the regular expression that opens at `at`, its flags not counted; -1 when it is none. */
export function regexEnd(codes: Uint16Array, at: number): number {
  let inClass = false;
  for (let here = at + 1; here < codes.length; here++) {
    const code = codes[here]!;
    if (code === 10) return -1;
    if (code === 92) here++;
    else if (code === 91) inClass = true;
    else if (code === 93) inClass = false;
    else if (code === 47 && !inClass) return here + 1;
  }
  return -1;
}
