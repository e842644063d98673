// Makes hidden characters visible, and puts text of a repository safely inside a line or a fence.

/** A text whose hidden characters are visible, and how many there were. */
export interface MarkedText {
  readonly text: string;
  /** How many characters were replaced by a mark. */
  readonly marks: number;
}

/** Characters that readers do not see, that reorder what they see, or that steer a terminal. */
const HIDDEN_RANGES: readonly (readonly [first: number, last: number])[] = [
  // controls but for tab and line end, the old set and the new
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  // soft hyphen, joiners and fillers of single scripts
  [0xad, 0xad],
  [0x034f, 0x034f],
  [0x061c, 0x061c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x3164, 0x3164],
  [0xffa0, 0xffa0],
  // zero width, marks of direction, separators of lines
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  // halves of surrogate pairs, and what XML forbids
  [0xd800, 0xdfff],
  [0xfff0, 0xfffb],
  [0xfffe, 0xffff],
  // format controls of shorthand and music; tags and further variation selectors
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

const escaped = (code: number) => `\\u{${code.toString(16)}}`;
const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
const HIDDEN_CLASS = `[${HIDDEN_RANGES.map(([first, last]) => `${escaped(first)}-${escaped(last)}`).join('')}]`;
const HIDDEN = new RegExp(HIDDEN_CLASS, 'u');
/** Looks at UTF-16 units, at twice the speed. It finds halves of pairs too, so only a "no" is certain. */
const MAYBE_HIDDEN = new RegExp(
  `[${HIDDEN_RANGES.filter(([, last]) => last <= 0xffff)
    .map(([first, last]) => `${unit(first)}-${unit(last)}`)
    .join('')}]`,
);
const EVERY_HIDDEN = new RegExp(HIDDEN_CLASS, 'gu');

const ZERO_WIDTH_NON_JOINER = 0x200c;
const ZERO_WIDTH_JOINER = 0x200d;
const TEXT_STYLE = 0xfe0e;
const EMOJI_STYLE = 0xfe0f;

const PICTURE = /^\p{Extended_Pictographic}/u;
const ENDS_AS_PICTURE = /(?:\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}])\ufe0f?$/u;
const ENDS_IN_KEY = /[0-9#*]$/;
/** Scripts whose spelling needs joiners inside a word. */
const JOINING_SCRIPT =
  '[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Mongolian}]';
const JOINING_BEFORE = new RegExp(`${JOINING_SCRIPT}$`, 'u');
const JOINING_AFTER = new RegExp(`^${JOINING_SCRIPT}`, 'u');

/** Places where such a character is legitimate: inside an emoji, or inside a word of a script that needs it. */
function isAtHome(code: number, before: string, after: string): boolean {
  if (code === ZERO_WIDTH_JOINER && ENDS_AS_PICTURE.test(before) && PICTURE.test(after)) return true;
  if (code === ZERO_WIDTH_JOINER || code === ZERO_WIDTH_NON_JOINER)
    return JOINING_BEFORE.test(before) && JOINING_AFTER.test(after);
  if (code === TEXT_STYLE || code === EMOJI_STYLE)
    return (
      /\p{Extended_Pictographic}$/u.test(before) || (ENDS_IN_KEY.test(before) && after.startsWith('\u20e3'))
    );
  return false;
}

function markOf(character: string): string {
  return `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}

/** The escape for JSON, where a reader gets every character back as it was. */
export function escapeHidden(json: string): string {
  if (!MAYBE_HIDDEN.test(json)) return json;
  return json.replace(EVERY_HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join(''),
  );
}

/**
 * Makes hidden characters visible, `⟨U+202E⟩`, so that text reads as it runs. Line ends become `\n`; the number
 * of lines does not change. Marking twice is marking once.
 */
export function markHidden(text: string): MarkedText {
  if (!MAYBE_HIDDEN.test(text) || !HIDDEN.test(text)) return { text, marks: 0 };
  let marks = 0;
  const unix = text.replaceAll('\r\n', '\n');
  const marked = unix.replace(EVERY_HIDDEN, (character, at: number) => {
    const before = unix.slice(Math.max(0, at - 3), at);
    const after = unix.slice(at + character.length, at + character.length + 2);
    if (isAtHome(character.codePointAt(0)!, before, after)) return character;
    marks++;
    return markOf(character);
  });
  return { text: marked, marks };
}

/** Repository text inside one line of output. It cannot begin a new line. */
export function inlineText(text: string): string {
  return markHidden(text).text.replace(/[\n\t]/g, markOf);
}

/** Most paths; the pattern for all of them takes milliseconds to compile. */
const USUAL_PATH = /^\w[\w./-]*$/;
/** Paths that cannot be taken for anything else. */
const PLAIN_PATH = /^[\p{L}\p{M}\p{N}_.@$~+][\p{L}\p{M}\p{N}_.@$~+\-/()[\]{},=!%&' ]*(?<! )$/u;

/** A path inside a line of output, in quotes when it has characters that could be taken for something else. */
export function inlinePath(path: string): string {
  if (USUAL_PATH.test(path)) return path;
  const inline = inlineText(path);
  return PLAIN_PATH.test(inline) ? inline : JSON.stringify(inline);
}

const USUAL_NAME = /^[\w$.]{1,80}$/;
const PLAIN_NAME = /^[\p{L}\p{N}_$#@~.:!?*&-]{1,80}$/u;
const MAX_NAME = 80;

/** A symbol's name; a heading or a selector may hold anything, so it is quoted and cut. */
export function inlineName(name: string): string {
  if (USUAL_NAME.test(name)) return name;
  const inline = inlineText(name);
  if (PLAIN_NAME.test(inline)) return inline;
  const characters = [...inline];
  return JSON.stringify(characters.length > MAX_NAME ? `${characters.slice(0, MAX_NAME).join('')}…` : inline);
}

const BACKTICK = 96;

function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = text.indexOf('`'); at !== -1 && at < text.length; at++) {
    if (text.charCodeAt(at) === BACKTICK) {
      if (++run > longest) longest = run;
    } else {
      run = 0;
      const next = text.indexOf('`', at);
      if (next === -1) break;
      at = next - 1;
    }
  }
  return longest;
}

/** A fence that nothing inside can close: longer than any run of backticks in the text. Hidden characters are marked. */
export function fenced(text: string, label: string): string {
  const marked = markHidden(text).text;
  const fence = '`'.repeat(Math.max(3, longestRun(marked) + 1));
  const safeLabel = label.replace(/[^\p{L}\p{N}+#._-]/gu, '');
  return marked === '' ? `${fence}${safeLabel}\n${fence}` : `${fence}${safeLabel}\n${marked}\n${fence}`;
}

/** A code span inside a line that nothing inside can close. */
export function inlineCode(text: string): string {
  const inline = inlineText(text);
  const fence = '`'.repeat(longestRun(inline) + 1);
  const space = inline.startsWith('`') || inline.endsWith('`') ? ' ' : '';
  return `${fence}${space}${inline}${space}${fence}`;
}
