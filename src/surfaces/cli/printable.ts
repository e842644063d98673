import { safeLine, safeText } from '../../redact/outgoing-text.ts';

/** Bytes of a file name that are not UTF-8 travel as these lone surrogates. */
const RAW_BYTE = /(?<![\ud800-\udbff])[\udc80-\udcff]/g;

function rawBytes(text: string): string {
  return text.replace(RAW_BYTE, (byte) => `\\x${(byte.charCodeAt(0) - 0xdc00).toString(16)}`);
}

/** Foreign text for one line of a terminal: nothing in it can move the cursor, hide, begin a line or give a secret away. */
export function printable(text: string): string {
  return safeLine(rawBytes(text));
}

/** The same for text of several lines. */
export function printableText(text: string): string {
  return safeText(rawBytes(text));
}
