import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePath, encodePath, encodePathBytes } from './path-codec.ts';

const bytesOf = (path: string): Buffer => {
  const encoded = encodePath(path);
  return typeof encoded === 'string' ? Buffer.from(encoded, 'utf8') : encoded;
};

describe('path codec', () => {
  it('gives any bytes back', () => {
    const interesting = fc.constantFrom(
      0x2f,
      0x61,
      0x80,
      0xc3,
      0xa9,
      0xed,
      0xa0,
      0xf0,
      0x9f,
      0x98,
      0x80,
      0xff,
    );
    const bytes = fc.array(fc.oneof(interesting, fc.integer({ min: 1, max: 255 })), { maxLength: 40 });
    fc.assert(
      fc.property(bytes, (values) => {
        const original = Buffer.from(values);
        expect(bytesOf(decodePath(original))).toEqual(original);
        expect(encodePathBytes(decodePath(original))).toEqual(original);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives different names to different bytes', () => {
    const bytes = fc.uint8Array({ min: 0x7e, maxLength: 6 });
    fc.assert(
      fc.property(bytes, bytes, (left, right) => {
        const same = Buffer.compare(Buffer.from(left), Buffer.from(right)) === 0;
        expect(decodePath(Buffer.from(left)) === decodePath(Buffer.from(right))).toBe(same);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps valid text as it is, astral characters included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodePath(Buffer.from(text, 'utf8'))).toBe(text);
        expect(encodePath(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['a lone Latin-1 letter', [0x63, 0x61, 0x66, 0xe9], 'caf\udce9'],
    ['an overlong slash', [0xc0, 0xaf], '\udcc0\udcaf'],
    ['an encoded surrogate', [0xed, 0xa0, 0x80], '\udced\udca0\udc80'],
    ['a cut emoji', [0xf0, 0x9f, 0x98], '\udcf0\udc9f\udc98'],
    ['a bad byte after an emoji', [0xf0, 0x9f, 0x98, 0x80, 0xff], '\u{1f600}\udcff'],
  ])('escapes %s byte by byte', (_, bytes, expected) => {
    expect(decodePath(Buffer.from(bytes))).toBe(expected);
  });
});
