import { markHidden, markOf } from './mark-hidden.ts';

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

/** The same inside a line. */
export function inlineCode(text: string): string {
  const inline = inlineText(text);
  const fence = '`'.repeat(longestRun(inline) + 1);
  const space = inline.startsWith('`') || inline.endsWith('`') ? ' ' : '';
  return `${fence}${space}${inline}${space}${fence}`;
}
