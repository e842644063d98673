import { LoadoutError } from '../../model/loadout-error.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import {
  MAX_DOCUMENT_BYTES,
  type ParsedDocument,
  pointerTo,
  type TextPosition,
} from '../../schema/parsed-document.ts';
import type { JsonValue } from '../../schema/schema.ts';
import type { ValuePath } from '../../schema/value-issues.ts';
import { ANSWER_RULE, ParsingError } from './answer-errors.ts';
import { plainJson, showRefusal } from './plain-json.ts';

/** A JSON text as data, with the place of every value for messages about it. */
export interface AnswerJson {
  readonly value: JsonValue;
  readonly positionOf: (path: ValuePath) => TextPosition | undefined;
}

const DOCUMENT = 'answer';

export function parseAnswerJson(json: string): AnswerJson {
  if (json.trim() === '') throw notJson('the JSON block is empty');
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_DOCUMENT_BYTES) {
    const what = `the JSON block has ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are read`;
    throw new ParsingError(
      'answer-too-large',
      `The answer is too large: ${what}.`,
      `${sentence(what)} Say it shorter. ${ANSWER_RULE}`,
    );
  }
  const { value, positions } = parseDocument(json);
  const positionOf = (path: ValuePath) => positions.get(path.reduce<string>(pointerTo, ''));
  const plain = plainJson(value);
  if (plain.kind === 'plain') return { value: plain.value, positionOf };
  throw notJson(`${showRefusal(plain.refusal)}${showPosition(positionOf(plain.refusal.path))}`);
}

/** `, at line 3, column 5 of the JSON block`. */
export function showPosition(position: TextPosition | undefined): string {
  return position ? `, at line ${position.line}, column ${position.column} of the JSON block` : '';
}

export function notJson(what: string): ParsingError {
  return new ParsingError(
    'answer-not-json',
    `Invalid JSON in output: ${what}.`,
    `The JSON of your answer could not be used: ${what}. ${ANSWER_RULE}`,
  );
}

function parseDocument(json: string): ParsedDocument {
  try {
    return parseJsonDocument(json, DOCUMENT);
  } catch (error) {
    if (!(error instanceof LoadoutError)) throw error;
    const found = /^answer:(\d+):(\d+): ([\s\S]*)$/.exec(error.message);
    if (!found) throw notJson(error.message);
    const position = { line: Number(found[1]), column: Number(found[2]) };
    throw notJson(`${aboutAnswers(found[3]!)}${showPosition(position)}`);
  }
}

/** The parser speaks of files; a model has written none. */
function aboutAnswers(what: string): string {
  return what
    .replace('; use a .yaml file to keep them', '')
    .replace('the file ends', 'the JSON ends')
    .replace(' of the file', '');
}

function sentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}
