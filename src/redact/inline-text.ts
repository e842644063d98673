import { markHidden, markOf } from './mark-hidden.ts';

/** Text of the repository on one line of ours: it cannot start a line of its own. */
export function inlineText(text: string): string {
  return markHidden(text).text.replace(/[\n\t]/g, markOf);
}

/** Most paths; the pattern for all of them takes milliseconds to compile. */
const USUAL_PATH = /^\w[\w./-]*$/;
/** Paths that cannot be taken for anything else. */
const PLAIN_PATH = /^[\p{L}\p{M}\p{N}_.@$~+][\p{L}\p{M}\p{N}_.@$~+\-/()[\]{},=!%&' ]*(?<! )$/u;

/** A path on one line of ours, in quotes when it has characters that could be taken for something else. */
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
