import { fileURLToPath } from 'node:url';
import { parseJson } from '../../model/read-json.ts';
import type { ParsedDocument, TextPosition } from '../../schema/parsed-document.ts';
import { readAnywhere } from './role-places.ts';

/** One role file as the build has read it. */
interface ParsedText {
  readonly text: string;
  readonly value: unknown;
  readonly positions: readonly (readonly [pointer: string, position: TextPosition])[];
}

/**
 * What a built-in role says, from the build: a run that needs no other role loads no YAML parser. Null for any other
 * text, and when the sources run as they are.
 */
export function parsedBuiltIn(text: string): ParsedDocument | null {
  const read = readAnywhere(fileURLToPath(new URL('./roles.json', import.meta.url)));
  if (read.kind !== 'content') return null;
  const roles = parseJson(read.bytes.toString('utf8'), 'roles.json') as readonly ParsedText[];
  const found = roles.find((role) => role.text === text);
  return found ? { value: found.value, positions: new Map(found.positions) } : null;
}
