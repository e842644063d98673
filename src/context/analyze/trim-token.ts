const AHEAD = '*_([{<,;:!?=|~&%"\'`';
const BEHIND = '*.,;:!?)]}>|=&"\'`\\';

/** Removes what is not part of a name: punctuation, marks, and brackets that were opened outside. */
export function trimToken(token: string): string {
  let start = 0;
  let end = token.length;
  while (start < end && AHEAD.includes(token[start]!) && !opensName(token, start)) start++;
  while (end > start && BEHIND.includes(token[end - 1]!) && !closesName(token, start, end)) end--;
  return token.slice(start, end);
}

/** `_private.py`, `~/notes.md`, `(shop)/page.tsx`, `[id].tsx`. */
function opensName(token: string, at: number): boolean {
  if (token[at] === '_') return true;
  if (token[at] === '~') return token[at + 1] === '/';
  if (token[at] !== '[' && token[at] !== '(') return false;
  const close = token[at] === '[' ? ']' : ')';
  const end = token.slice(at, at + 60).indexOf(close);
  const behind = token[at + end + 1];
  return end !== -1 && (behind === '/' || (close === ']' && behind === '.'));
}

/** `app/[id]`. */
function closesName(token: string, start: number, end: number): boolean {
  if (token[end - 1] !== ']' && token[end - 1] !== ')') return false;
  const tail = token.slice(Math.max(start, end - 60), end);
  const at = tail.lastIndexOf(token[end - 1] === ']' ? '[' : '(');
  return at > 0 && tail[at - 1] === '/';
}
