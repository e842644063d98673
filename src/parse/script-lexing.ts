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

export function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127
  );
}

/** Behind the string that opens at `at`; -1 when its line ends first. */
export function stringEnd(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  for (let here = at + 1; here < text.length; here++) {
    const code = text.charCodeAt(here);
    if (code === 92) here++;
    else if (code === 10) return -1;
    else if (code === quote) return here + 1;
  }
  return -1;
}

/** Whether a slash is a regular expression rather than a division, by what stands in front of it. */
export function mayStartRegex(last: number, lastWord: string): boolean {
  if (last === 97) return BEFORE_REGEX.has(lastWord);
  return !(last === 41 || last === 93 || last === 96 || last === 34 || last === 39);
}

/** Behind the regular expression that opens at `at`, its flags not counted; -1 when it is none. */
export function regexEnd(text: string, at: number): number {
  let inClass = false;
  for (let here = at + 1; here < text.length; here++) {
    const code = text.charCodeAt(here);
    if (code === 10) return -1;
    if (code === 92) here++;
    else if (code === 91) inClass = true;
    else if (code === 93) inClass = false;
    else if (code === 47 && !inClass) return here + 1;
  }
  return -1;
}
