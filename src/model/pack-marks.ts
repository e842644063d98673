/** The marks around a package inside a longer text, so that it can be found and replaced. */
export const MARK_START = '<context-pack source="loadout">';
export const MARK_END = '</context-pack>';

const ANY_MARK = /<(?=\/?context-pack)/gi;

/** Text between the marks. A mark inside the text gets another bracket, so that it cannot end the section early. */
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
