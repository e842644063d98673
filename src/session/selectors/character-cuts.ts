import { cutToCharacters } from '../../context/fit/cut-text.ts';

const isHighHalf = (code: number) => code >= 0xd800 && code < 0xdc00;
const isLowHalf = (code: number) => code >= 0xdc00 && code < 0xe000;

/** At most so many characters from the start; a pair is never split. */
export const firstCharacters = (text: string, limit: number): string =>
  cutToCharacters(text, Math.max(0, limit));

/** The same from the end. */
export function lastCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  if (limit <= 0) return '';
  const start = text.length - Math.floor(limit);
  const splits = isHighHalf(text.charCodeAt(start - 1)) && isLowHalf(text.charCodeAt(start));
  return text.slice(splits ? start + 1 : start);
}

/** Beginning and end, with what lies between them counted; the beginning gets the larger part. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const gap = (left: number) => `\n[… ${left} characters …]\n`;
  const room = limit - gap(text.length).length;
  if (room < 2) return firstCharacters(text, limit);
  const head = firstCharacters(text, Math.ceil(room * 0.6));
  const tail = lastCharacters(text, room - head.length);
  return head + gap(text.length - head.length - tail.length) + tail;
}
