/** Bytes of a file name that are not UTF-8 travel as these lone surrogates. */
const RAW_BYTE = /[\udc80-\udcff]/;

// Control characters, and the marks that reverse the direction of text on a screen.
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Text from a repository, made harmless for a terminal: nothing in it can move the cursor or hide text. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (character) => {
    const unit = character.charCodeAt(0);
    if (RAW_BYTE.test(character)) return `\\x${(unit - 0xdc00).toString(16)}`;
    return unit < 0x100 ? `\\x${unit.toString(16).padStart(2, '0')}` : `\\u${unit.toString(16)}`;
  });
}
