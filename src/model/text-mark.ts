/** Colours of a text: which characters are a comment, a string, a keyword. For people who read code in a page. */

/** Kinds of characters. Place 0 is for all that has no colour. */
export const MARK_KINDS = ['plain', 'comment', 'string', 'number', 'keyword', 'type', 'constant'] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

/** Three numbers for each mark, in the order of the text: start, end, place in `MARK_KINDS`. Marks do not overlap. */
export type TextMarks = Int32Array;
