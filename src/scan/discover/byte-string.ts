import { encodePathBytes } from '../../platform/fs/path-codec.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is exactly this range
const ASCII_ONLY = /^[\x00-\x7f]*$/;

/** The path's bytes, one character each; git matches ignore patterns byte by byte. */
export function toByteString(path: string): string {
  return ASCII_ONLY.test(path) ? path : encodePathBytes(path).toString('latin1');
}
