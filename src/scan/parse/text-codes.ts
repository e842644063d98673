const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

let room = Buffer.alloc(1 << 17);

/**
 * The code units of a text. Loops that look at every character of thousands of files take half the time on a
 * column of numbers. It is good until the next call.
 */
export function textCodes(text: string): Uint16Array {
  if (room.length < text.length * 2) room = Buffer.alloc(text.length * 3);
  if (IS_LITTLE_ENDIAN) room.write(text, 'utf16le');
  const codes = new Uint16Array(room.buffer, room.byteOffset, text.length);
  if (!IS_LITTLE_ENDIAN) for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at);
  return codes;
}
