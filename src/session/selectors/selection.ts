// Selections by name: `grep:error`, `lines:10-40`. The selectors themselves are in apply-selector.ts.

import {
  type ArgumentKind,
  checkArguments,
  either,
  objectWith,
  required,
  TEXT,
} from '../../schema/check-arguments.ts';

/** All selectors, by the name that policies and agents use. */
export const SELECTORS = [
  'first_chars',
  'last_chars',
  'head_tail',
  'lines',
  'json_path',
  'grep',
  'relevant',
] as const;
export type SelectorName = (typeof SELECTORS)[number];

/** Which part of a result to bring back. Written `name` or `name:argument`, such as `grep:error` or `lines:10-40`. */
export interface Selection {
  /** Any text: an unknown one falls back to `first_chars`. */
  readonly selector: string;
  /** `10-40` for lines, a path for json_path, a pattern for grep, words for relevant; empty for the others. */
  readonly argument: string;
}

/** A selection as a program may write it. */
export const SELECTION: ArgumentKind = required(
  either(
    'a selection such as "grep:error" or { selector: "grep", argument: "error" }',
    TEXT,
    objectWith('{ selector, argument }', { selector: TEXT, argument: TEXT }),
  ),
);

export const isSelectorName = (name: string): name is SelectorName =>
  (SELECTORS as readonly string[]).includes(name);

/** Reads `name` or `name:argument`. Any text is a selection: an unknown name falls back when it is applied. */
export function parseSelection(text: string): Selection {
  checkArguments('parseSelection', { text }, { text: required(TEXT) });
  const colon = text.indexOf(':');
  if (colon === -1) return { selector: text.trim(), argument: '' };
  return { selector: text.slice(0, colon).trim(), argument: text.slice(colon + 1).trim() };
}

/** The text that `parseSelection` reads back. */
export function showSelection({ selector, argument }: Selection): string {
  return argument === '' ? selector : `${selector}:${argument}`;
}
