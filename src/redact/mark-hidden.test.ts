import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markHidden } from './mark-hidden.ts';

const code = (point: number) => String.fromCodePoint(point);

describe('markHidden', () => {
  it.each([
    ['a direction override', `a${code(0x202e)}b`, 'a⟨U+202E⟩b'],
    ['an isolate', code(0x2066), '⟨U+2066⟩'],
    ['a zero-width space in a name', `us${code(0x200b)}er`, 'us⟨U+200B⟩er'],
    ['a zero-width joiner in a name', `us${code(0x200d)}er`, 'us⟨U+200D⟩er'],
    ['a tag', code(0xe0041), '⟨U+E0041⟩'],
    ['a variation selector that carries data', `a${code(0xe0101)}`, 'a⟨U+E0101⟩'],
    ['an escape of a terminal', `${code(0x1b)}[31mred`, '⟨U+001B⟩[31mred'],
    ['NUL', code(0), '⟨U+0000⟩'],
    ['half a surrogate pair', 'a\ud800b', 'a⟨U+D800⟩b'],
    ['the other half', '\udc00', '⟨U+DC00⟩'],
    ['a byte order mark inside', `a${code(0xfeff)}`, 'a⟨U+FEFF⟩'],
    ['a line separator', code(0x2028), '⟨U+2028⟩'],
    ['a lone carriage return', 'a\rb', 'a⟨U+000D⟩b'],
    ['DOS line ends', 'a\r\nb\r\n', 'a\nb\n'],
  ])('%s', (_, text, marked) => {
    expect(markHidden(text).text).toBe(marked);
  });

  it.each([
    ['plain text', 'if (a < b) {\n\treturn "ü";\n}\n'],
    ['a family', '👨‍👩‍👧‍👦'],
    ['a heart and a flag', '❤️ 🏳️‍🌈'],
    ['a dark-skinned worker', '👩🏽‍🔧'],
    ['a key', '1️⃣'],
    ['Persian', 'می‌خواهم'],
    ['Hindi', 'क्‍ष'],
    ['Chinese', '漢字'],
  ])('leaves %s alone', (_, text) => {
    expect(markHidden(text)).toEqual({ text, marks: 0 });
  });

  const anyText = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.constantFrom('\n', '\r\n', '\r', '\ud83d', '\u200d', '\ufe0f', '👩', '\u202e', '\u{e0061}'),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 20 },
  );

  it('leaves nothing dangerous, keeps the lines, and gives the same text when it runs twice', () => {
    fc.assert(
      fc.property(anyText, (pieces) => {
        const text = pieces.join('');
        const { text: marked } = markHidden(text);
        expect(marked).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Cs}]/u);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
        expect(marked).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(marked.split('\n').length).toBe(text.split('\n').length);
        expect(markHidden(marked)).toEqual({ text: marked, marks: 0 });
      }),
      { numRuns: 2_000 },
    );
  });
});
