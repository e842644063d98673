import type { Insertion } from './edit-json.ts';

/**
 * Takes pieces out that were put in, the last one first; null when one is not there as it was, or not only once, so
 * that nobody can tell which one is meant.
 */
export function takeOut(text: string, inserted: readonly Insertion[]): string | null {
  let current = text;
  for (const { at, text: piece } of [...inserted].reverse()) {
    const found = current.startsWith(piece, at) ? at : onlyPlace(current, piece);
    if (found === null) return null;
    current = current.slice(0, found) + current.slice(found + piece.length);
  }
  return current;
}

function onlyPlace(text: string, piece: string): number | null {
  const at = text.indexOf(piece);
  return at === -1 || text.indexOf(piece, at + 1) !== -1 ? null : at;
}
