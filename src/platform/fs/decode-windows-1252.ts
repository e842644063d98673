/** What 0x80..0x9f mean; the five undefined bytes keep their code, as the WHATWG table has it. */
const HIGH_CONTROLS =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

const CODES = Uint16Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 && byte <= 0x9f ? HIGH_CONTROLS.charCodeAt(byte - 0x80) : byte,
);

/** By hand, because `TextDecoder` needs a full ICU build and some Node versions decode this as Latin-1. */
export function decodeWindows1252(bytes: Buffer): string {
  const units = Buffer.allocUnsafe(bytes.length * 2);
  for (let index = 0; index < bytes.length; index += 1) {
    const code = CODES[bytes[index]!]!;
    units[index * 2] = code & 0xff;
    units[index * 2 + 1] = code >> 8;
  }
  return units.toString('utf16le');
}
