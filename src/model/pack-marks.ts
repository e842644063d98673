export const MARK_START = '<context-pack source="loadout">';
export const MARK_END = '</context-pack>';

const ANY_MARK = /<(?=\/?context-pack)/gi;

/** Text between our marks; a mark inside gets another bracket, so that nothing ends it early and it grows by nothing. */
export function markPack(text: string): string {
  return `${MARK_START}\n${text.replace(ANY_MARK, '‹')}\n${MARK_END}`;
}

/** A text without the marked sections at its end. */
export function stripMarked(text: string): string {
  let rest = text;
  while (rest.endsWith(MARK_END)) {
    const start = rest.lastIndexOf(MARK_START);
    if (start === -1) break;
    rest = rest.slice(0, start).trimEnd();
  }
  return rest;
}
