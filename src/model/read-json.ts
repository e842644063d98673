import { LoadoutError } from './loadout-error.ts';

/** More is a mistake or an attack: no file or answer that Loadout reads as a whole comes near it. */
const MAX_JSON_CHARACTERS = 64 * 1024 * 1024;

export type JsonReading =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly why: string };

/** JSON that may be anything. The one place that calls `JSON.parse`: a text that is not JSON is a value, not a throw. */
export function readJson(text: string, maxCharacters = MAX_JSON_CHARACTERS): JsonReading {
  if (text.length > maxCharacters)
    return { kind: 'invalid', why: `it has ${text.length} characters; at most ${maxCharacters} are read` };
  try {
    return { kind: 'json', value: JSON.parse(text) };
  } catch (error) {
    return { kind: 'invalid', why: error instanceof Error ? error.message : String(error) };
  }
}

/** JSON that must be there; `name` says in the error what was read. Nothing is known about the value. */
export function parseJson(text: string, name: string, maxCharacters?: number): unknown {
  const read = readJson(text, maxCharacters);
  if (read.kind === 'json') return read.value;
  throw new LoadoutError('bad-json', `${name} is not JSON: ${read.why}`, { subject: name });
}
