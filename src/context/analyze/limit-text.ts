/** Behind these sizes lies the middle of a log: what it is about stands at its beginning and its end. */
const HEAD_CHARACTERS = 98_304;
const TAIL_CHARACTERS = 32_768;

/** A cut looks this far for a line end to fall on. */
const NEAREST_LINE_END = 2_000;

/** The part of a text that is read: all of it, or its head and its tail, cut at line ends where there are some. */
export function limitText(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text;
  const headEnd = text.lastIndexOf('\n', HEAD_CHARACTERS);
  const tailFrom = text.length - TAIL_CHARACTERS;
  const tailStart = text.indexOf('\n', tailFrom);
  const head = text.slice(0, headEnd >= HEAD_CHARACTERS - NEAREST_LINE_END ? headEnd : HEAD_CHARACTERS);
  const tail = text.slice(
    tailStart !== -1 && tailStart <= tailFrom + NEAREST_LINE_END ? tailStart + 1 : tailFrom,
  );
  return `${head}\n${tail}`;
}
