// Shared by the JSON and the YAML reader: positions, limits and errors.

import { LoadoutError } from '../model/loadout-error.ts';

/** 1-based, as editors count. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The value of a JSON or YAML text, with the place of everything in it. */
export interface ParsedDocument {
  /** Plain objects, arrays, texts, numbers, booleans and null. */
  readonly value: unknown;
  /** By JSON pointer: `''` is the whole, `/domains/src~1api` a value inside. */
  readonly positions: ReadonlyMap<string, TextPosition>;
}

/** The size limit of a file of settings, roles, guidelines or policies. */
export const MAX_DOCUMENT_BYTES = 256 * 1024;
export const MAX_DOCUMENT_LEVELS = 64;

/** The JSON pointer of a value inside another. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** An error with file, line and column in front, as compilers write it. */
export function documentError(name: string, position: TextPosition, what: string): LoadoutError {
  return new LoadoutError('bad-config-file', `${name}:${position.line}:${position.column}: ${what}`, {
    subject: name,
  });
}

/** Throws for a text over the limit, before anything of it is read. */
export function checkDocumentSize(text: string, name: string): void {
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_DOCUMENT_BYTES) return;
  const limit = `at most ${MAX_DOCUMENT_BYTES} bytes are read`;
  throw documentError(name, { line: 1, column: 1 }, `the file has ${bytes} bytes; ${limit}`);
}
