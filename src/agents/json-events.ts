// Readers for output that is one JSON object in each line.

import { readJson } from '../model/read-json.ts';

/** A JSON object of unknown shape. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** The last object is searched in this much of the output. */
const MAX_TAIL_CHARACTERS = 64 * 1024;
/** Lines that are tried as the beginning of the last object. Each try parses the rest of the text. */
const MAX_BEGINNINGS = 200;

/**
 * The JSON output of a CLI: one object, a list of objects, or one object for each line. Lines that are not JSON are left out:
 * they are messages of the CLI, or the place where a long output was cut.
 */
export function readJsonEvents(output: string): readonly JsonRecord[] {
  const whole = parseJson(output);
  if (Array.isArray(whole)) return whole.filter(isRecord);
  if (isRecord(whole)) return [whole];
  return output
    .split('\n')
    .map(parseJson)
    .filter((value) => isRecord(value));
}

/** The object at the end of the text. Some CLIs print their error below stack traces. */
export function readLastJsonObject(output: string): JsonRecord | null {
  const text = output.slice(-MAX_TAIL_CHARACTERS).trimEnd();
  if (!text.endsWith('}')) return null;
  let tried = 0;
  // Only at the beginning of a line: a brace in the middle of a line belongs to other text.
  for (let at = startOfLine(text, text.length - 1); ; at = startOfLine(text, at - 2)) {
    const begins = text[at] === '{';
    const value = begins ? parseJson(text.slice(at)) : undefined;
    if (isRecord(value)) return value;
    if (begins) tried += 1;
    if (at === 0 || tried === MAX_BEGINNINGS) return null;
  }
}

/** The value, or undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  // A quick check first, because most lines are not JSON and an exception is slow.
  if (!/^\s*[[{"]/.test(text)) return undefined;
  const read = readJson(text);
  return read.kind === 'json' ? read.value : undefined;
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or an empty one. */
export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** The text, or an empty one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The number, or 0. */
export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function startOfLine(value: string, before: number): number {
  return before < 0 ? 0 : value.lastIndexOf('\n', before) + 1;
}
