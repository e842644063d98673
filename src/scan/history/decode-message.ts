import { isUtf8 } from 'node:buffer';
import { decodeWindows1252 } from '../../platform/fs/decode-text.ts';

/** Longer messages are change logs; their beginning says what the commit is about. */
const MAX_CHARACTERS = 2048;
/** No encoding needs more bytes for a character. */
const MAX_BYTES = MAX_CHARACTERS * 4;

/** The text of a commit message, whatever it was written in. Never fails: a wrong letter costs a word at most. */
export function decodeMessage(message: Buffer, encoding: string | null): string {
  const bytes = message.subarray(0, MAX_BYTES);
  const text = decodeAs(bytes, encoding) ?? decodeGuessed(bytes);
  return cutText(text, MAX_CHARACTERS);
}

/** Never half a character. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function decodeAs(bytes: Buffer, encoding: string | null): string | null {
  if (encoding === null) return null;
  try {
    const decoder = new TextDecoder(encoding);
    if (decoder.encoding === 'utf-8') return null;
    return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes);
  } catch {
    // an unknown encoding
    return null;
  }
}

function decodeGuessed(bytes: Buffer): string {
  // the cut at the end may have gone through a character
  const whole = bytes.length === MAX_BYTES ? bytes.subarray(0, bytes.lastIndexOf(10) + 1) : bytes;
  return isUtf8(whole) ? bytes.toString('utf8') : decodeWindows1252(bytes);
}
