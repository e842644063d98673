// The one place that calls `JSON.parse`. Text that is not JSON comes from outside all the time: a file that a crash cut
// off, an answer of a server, the output of a program. So it is a value here, and an error only where the caller asks for one.

import { LoadoutError } from './loadout-error.ts';

/** In characters. More is a mistake or an attack: no file or answer that Loadout reads as a whole comes near it. */
const MAX_JSON_CHARACTERS = 64 * 1024 * 1024;

/** The value of a text, or why the text is not JSON. */
export type JsonReading =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly why: string };

/** Reads JSON that may be anything. Nothing is known about the value: check it before use. */
export function readJson(text: string, maxCharacters = MAX_JSON_CHARACTERS): JsonReading {
  if (text.length > maxCharacters)
    return { kind: 'invalid', why: `it has ${text.length} characters; at most ${maxCharacters} are read` };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    return { kind: 'invalid', why: error instanceof Error ? error.message : String(error) };
  }
}

/** The value, or null for text that is not JSON. For records of our own, where a damaged one counts as none. */
export function jsonOrNull(text: string, maxCharacters?: number): unknown {
  const read = readJson(text, maxCharacters);
  return read.kind === 'json' ? read.value : null;
}

/** JSON that must be there; `name` says in the error what was read. Nothing is known about the value. */
export function parseJson(text: string, name: string, maxCharacters?: number): unknown {
  const read = readJson(text, maxCharacters);
  if (read.kind === 'json') return read.value;
  throw new LoadoutError('bad-json', `${name} is not JSON: ${read.why}`, { subject: name });
}
