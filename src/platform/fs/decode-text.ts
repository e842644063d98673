// Tells text from binary files and decodes it: UTF-8, UTF-16 and Windows-1252. Every file of a repository
// passes through here, so characters are counted in samples only.

import { isAscii, isUtf8 } from 'node:buffer';

/** A text with the name of its encoding, or no text at all. */
type DecodedText =
  | { readonly kind: 'text'; readonly text: string; readonly encoding: string; readonly lossy: boolean }
  | { readonly kind: 'binary' };

const BINARY: DecodedText = { kind: 'binary' };
/** For counts over a file that may be large. */
const SAMPLE_BYTES = 8192;
/** Small, because it is looked at byte by byte for every file. */
const CONTROL_SAMPLE_BYTES = 2048;
const CONTROLS = Uint8Array.from({ length: 256 }, (_, byte) => (isControl(byte) ? 1 : 0));
const LONE_SURROGATE = /[\ud800-\udfff]/gu;

/** Bytes of a file as text, or `binary`. `lossy` says that the text does not give the same bytes back. */
export function decodeText(bytes: Buffer): DecodedText {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return decodeMarkedUtf8(bytes.subarray(3));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.subarray(2), 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes.subarray(2), 'utf-16be');
  if (bytes.includes(0)) {
    const encoding = guessUtf16(bytes);
    return encoding === null ? BINARY : decodeUtf16(bytes, encoding);
  }
  if (isUtf8(bytes)) {
    if (controlShare(bytes) > 0.1) return BINARY;
    // Latin-1 is the cheapest way to a one-byte string.
    return text(isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'), 'utf-8', false);
  }
  return decodeInvalidUtf8(bytes);
}

/** Behind a byte order mark. */
function decodeMarkedUtf8(bytes: Buffer): DecodedText {
  if (bytes.includes(0) || controlShare(bytes) > 0.1) return BINARY;
  return text(bytes.toString('utf8'), 'utf-8', !isUtf8(bytes));
}

function decodeInvalidUtf8(bytes: Buffer): DecodedText {
  if (controlShare(bytes) > 0.02) return BINARY;
  const { valid, invalid } = countSequences(bytes);
  // A stray byte or a character cut at the end must not turn a whole UTF-8 file into gibberish.
  if (valid > invalid * 4 || isCutUtf8(bytes)) return text(bytes.toString('utf8'), 'utf-8', true);
  return text(decodeWindows1252(bytes), 'windows-1252', true);
}

/** An odd byte at the end is left out, and makes the text lossy. */
function decodeUtf16(bytes: Buffer, encoding: 'utf-16le' | 'utf-16be'): DecodedText {
  const even = bytes.subarray(0, bytes.length & ~1);
  const units = encoding === 'utf-16le' ? even : Buffer.from(even).swap16();
  const decoded = units.toString('utf16le');
  if (wideControlShare(decoded) > 0.02) return BINARY;
  const repaired = decoded.replace(LONE_SURROGATE, '\ufffd');
  return text(repaired, encoding, repaired !== decoded || even.length !== bytes.length);
}

/** Without a mark: text that is mostly Latin has a zero in every second byte and hardly any elsewhere. */
function guessUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | null {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~1;
  if (length < 4 || bytes.length % 2 !== 0) return null;
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 2) {
    if (bytes[index] === 0) even += 1;
    if (bytes[index + 1] === 0) odd += 1;
  }
  const units = length / 2;
  if (odd > units * 0.6 && even === 0) return 'utf-16le';
  if (even > units * 0.6 && odd === 0) return 'utf-16be';
  return null;
}

/** The share of control characters at the beginning, 0..1. */
function controlShare(bytes: Buffer): number {
  const length = Math.min(bytes.length, CONTROL_SAMPLE_BYTES);
  let controls = 0;
  for (let index = 0; index < length; index += 1) controls += CONTROLS[bytes[index]!]!;
  return length === 0 ? 0 : controls / length;
}

function wideControlShare(decoded: string): number {
  const length = Math.min(decoded.length, SAMPLE_BYTES);
  let controls = 0;
  for (let index = 0; index < length; index += 1) {
    const code = decoded.charCodeAt(index);
    if (isControl(code) || code === 0xffff || code === 0xfffe) controls += 1;
  }
  return length === 0 ? 0 : controls / length;
}

// Backspace to carriage return and escape occur in real text (man pages, terminal captures).
function isControl(code: number): boolean {
  return code === 0x7f || (code < 0x20 && (code < 0x08 || code > 0x0d) && code !== 0x1b);
}

/** Counts valid multi-byte sequences and invalid bytes in the first part of the file. */
function countSequences(bytes: Buffer): { valid: number; invalid: number } {
  const length = Math.min(bytes.length, SAMPLE_BYTES * 8);
  let valid = 0;
  let invalid = 0;
  for (let index = 0; index < length; index += 1) {
    const first = bytes[index]!;
    if (first < 0x80) continue;
    const tail = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : 0;
    if (tail > 0 && isUtf8(bytes.subarray(index, index + tail + 1)) && index + tail < bytes.length) {
      valid += 1;
      index += tail;
    } else invalid += 1;
  }
  return { valid, invalid };
}

/** True when only the last character is incomplete, as in a file that was cut at a size. */
function isCutUtf8(bytes: Buffer): boolean {
  for (let cut = 1; cut <= 3 && cut < bytes.length; cut += 1) {
    const first = bytes[bytes.length - cut]!;
    if (first < 0x80) return false;
    if (first >= 0xc2) return isUtf8(bytes.subarray(0, bytes.length - cut));
  }
  return false;
}

function text(value: string, encoding: string, lossy: boolean): DecodedText {
  return { kind: 'text', text: value, encoding, lossy };
}

/** Meanings of 0x80..0x9f. The five undefined bytes keep their code, as in the WHATWG table. */
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
