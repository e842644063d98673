import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Blanks, blankOut, leaveOut } from './blanks.ts';

const blanksOf = fc
  .record({
    // what is kept and what is not, by turns
    parts: fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ minLength: 3, maxLength: 40 }))),
    rest: fc.string(),
    brackets: fc.constantFrom(null, ['(', ')'] as const),
  })
  .map(({ parts, rest, brackets }) => {
    const ranges: [number, number][] = [];
    let text = '';
    for (const [kept, blank] of parts) {
      text += kept;
      ranges.push([text.length, text.length + blank.length]);
      text += blank;
    }
    return { text: text + rest, blanks: { ranges, brackets } satisfies Blanks };
  });

describe('blanks', () => {
  it('keep all places when they are blanked out', () => {
    fc.assert(
      fc.property(blanksOf, ({ text, blanks }) => {
        const blanked = blankOut(text, blanks);
        expect(blanked).toHaveLength(text.length);
        const inside = new Set(blanks.ranges.flatMap(([start, end]) => span(start, end)));
        for (let at = 0; at < text.length; at++) if (!inside.has(at)) expect(blanked[at]).toBe(text[at]);
      }),
    );
  });

  it('leave the way back when they are left out', () => {
    fc.assert(
      fc.property(blanksOf, ({ text, blanks }) => {
        const blanked = blankOut(text, blanks);
        const short = leaveOut(text, blanks);
        for (let at = 0; at < short.text.length; at++)
          expect(short.text[at]).toBe(blanked[short.originOf(at)]);
        expect(short.originOf(short.text.length)).toBe(text.length);
        const width = 1 + (blanks.brackets?.join('').length ?? 0);
        const missing = blanks.ranges.reduce((sum, [start, end]) => sum + end - start - width, 0);
        expect(short.text).toHaveLength(text.length - missing);
      }),
    );
  });
});

function span(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, at) => start + at);
}
