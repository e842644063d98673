// Colours for the characters of a text. Later paint covers earlier paint, so a walk through a syntax tree needs to know
// nothing about overlaps.
import { MARK_KINDS, type MarkKind, type TextMarks } from '../../model/text-mark.ts';

/** One number for each character of a text. */
export class Paint {
  readonly #colours: Uint8Array;

  constructor(length: number) {
    this.#colours = new Uint8Array(length);
  }

  /** Offsets outside of the text are cut, because a tree may be about a longer one. */
  fill(start: number, end: number, kind: MarkKind): void {
    this.#colours.fill(MARK_KINDS.indexOf(kind), Math.max(0, start), Math.max(0, end));
  }

  /** Puts the paint of a part into its place. */
  cover(other: Paint, start: number): void {
    this.#colours.set(other.#colours.subarray(0, this.#colours.length - start), start);
  }

  /** Stretches of the same colour. */
  marks(): TextMarks {
    const found: number[] = [];
    const colours = this.#colours;
    for (let at = 0; at < colours.length; ) {
      const colour = colours[at]!;
      let end = at + 1;
      while (end < colours.length && colours[end] === colour) end++;
      if (colour !== 0) found.push(at, end, colour);
      at = end;
    }
    return Int32Array.from(found);
  }
}
