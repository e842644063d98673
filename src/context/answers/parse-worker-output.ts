import { LoadoutError } from '../../model/loadout-error.ts';
import { checkArguments, required, SCHEMA, TEXT } from '../../schema/check-arguments.ts';
import type { ObjectSchema } from '../../schema/object-schema.ts';
import { parseJsonDocument } from '../../schema/parse-json-document.ts';
import {
  MAX_DOCUMENT_BYTES,
  type ParsedDocument,
  pointerTo,
  type TextPosition,
} from '../../schema/parsed-document.ts';
import type { JsonValue } from '../../schema/schema.ts';
import { readValue, showIssue, type ValueIssue, type ValuePath } from '../../schema/value-issues.ts';
import { type AnsweringRole, type AnyAnswer, answerSchemaFor } from './answer-schemas.ts';
import { type AnswerSearch, findAnswerBlock, type NearMiss } from './find-answer-block.ts';
import { plainJson, showRefusal } from './plain-json.ts';

// Reads the answer of a worker: from its text, or from the structured channel of its CLI. Each error carries a feedback
// text that a worker sends back to the model with the next attempt.

/**
 * The answer in the text of a model. Only the last closed fenced block labelled json counts: no marker words, no bare
 * JSON. Throws `ParsingError` or `InvalidOutputError`; both carry a `feedback` to send back.
 */
export function parseWorkerOutput<Value>(text: string, schema: ObjectSchema<Value>): Value {
  checkArguments('parseWorkerOutput', { text, schema }, { text: required(TEXT), schema: SCHEMA });
  const search = findAnswerBlock(text);
  if (search.kind !== 'found') throw missingAnswer(search);
  return checkAnswer(parseAnswerJson(search.json), schema);
}

/** The error for a text in which no answer was found. It says what was found instead. */
function missingAnswer(search: Exclude<AnswerSearch, { kind: 'found' }>): ParsingError {
  if (search.kind === 'too-large') {
    const what = `The answer is too large: ${search.what}.`;
    return new ParsingError('answer-too-large', what, `${what} Make it shorter. ${ANSWER_RULE}`);
  }
  if (search.kind === 'cut-off') {
    const where = `the fence ${search.fence} opened on line ${search.line} is never closed`;
    return new ParsingError(
      'answer-cut-off',
      `The answer is cut off: ${where}.`,
      `Your answer is cut off: ${where}. Send the whole answer again, shorter if need be. ${ANSWER_RULE}`,
    );
  }
  if (search.kind === 'ambiguous') {
    const what = `the JSON block on line ${search.line} is indented or follows other text, and differs from the one on line ${search.other}`;
    return new ParsingError(
      'answer-ambiguous',
      `It is not clear which answer counts: ${what}.`,
      `It is not clear which of your answers counts: ${what}. Send one answer. ${ANSWER_RULE}`,
    );
  }
  const found = nearMissText(search);
  return new ParsingError(
    'answer-not-found',
    `No JSON block found in worker output: expected a closed fenced block labelled json, got ${found}.`,
    `Your answer has no JSON block: there is ${found}. ${ANSWER_RULE}`,
  );
}

/** Each reason in words, after `one on line 3, `. */
const MISSES: Readonly<Record<NearMiss['reason'], string>> = {
  'inside-another-fence': 'inside another fence',
  'no-object': 'without a JSON object after it',
  'never-closed': 'which is never closed',
};

function nearMissText({ blocks, nearMiss }: Extract<AnswerSearch, { kind: 'none' }>): string {
  if (nearMiss) return `one on line ${nearMiss.line}, ${MISSES[nearMiss.reason]}`;
  if (blocks > 0) return `${blocks} fenced ${blocks === 1 ? 'block' : 'blocks'} without that label`;
  return 'text without a fenced block';
}

/** Reads the answer with the schema of the role. */
export function parseRoleOutput(role: AnsweringRole, text: string): AnyAnswer {
  return parseWorkerOutput(text, answerSchemaFor(role));
}

/**
 * The answer from the structured channel of a CLI that has a flag for it. The text of the model is not searched, and a
 * string value is a string, even if it looks like JSON.
 */
export function parseNative<Value>(value: unknown, schema: ObjectSchema<Value>): Value {
  checkArguments('parseNative', { schema }, { schema: SCHEMA });
  const plain = plainJson(value);
  if (plain.kind === 'refused') throw notJson(showRefusal(plain.refusal));
  const answer: AnswerJson = { value: plain.value, positionOf: () => undefined };
  return checkAnswer(answer, schema);
}

/** The same for a CLI whose structured channel is a text with JSON and nothing else. */
export function parseNativeText<Value>(json: string, schema: ObjectSchema<Value>): Value {
  checkArguments('parseNativeText', { json, schema }, { json: required(TEXT), schema: SCHEMA });
  return checkAnswer(parseAnswerJson(json), schema);
}

/** A JSON text as data. */
interface AnswerJson {
  readonly value: JsonValue;
  /** The position of a value in the JSON text, for messages. */
  readonly positionOf: (path: ValuePath) => TextPosition | undefined;
}

/** The name of the answer in messages of the JSON parser. */
const DOCUMENT = 'answer';

/** Parses a JSON block. Limits are checked first: a model can write anything. */
function parseAnswerJson(json: string): AnswerJson {
  if (json.trim() === '') throw notJson('the JSON block is empty');
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_DOCUMENT_BYTES) {
    const what = `the JSON block has ${bytes} bytes; at most ${MAX_DOCUMENT_BYTES} are read`;
    throw new ParsingError(
      'answer-too-large',
      `The answer is too large: ${what}.`,
      `${sentence(what)} Make it shorter. ${ANSWER_RULE}`,
    );
  }
  const { value, positions } = parseDocument(json);
  const positionOf = (path: ValuePath) => positions.get(path.reduce<string>(pointerTo, ''));
  const plain = plainJson(value);
  if (plain.kind === 'plain') return { value: plain.value, positionOf };
  throw notJson(`${showRefusal(plain.refusal)}${showPosition(positionOf(plain.refusal.path))}`);
}

/** `, at line 3, column 5 of the JSON block`. */
function showPosition(position: TextPosition | undefined): string {
  return position ? `, at line ${position.line}, column ${position.column} of the JSON block` : '';
}

function notJson(what: string): ParsingError {
  return new ParsingError(
    'answer-not-json',
    `Invalid JSON in output: ${what}.`,
    `The JSON of your answer could not be used: ${what}. ${ANSWER_RULE}`,
  );
}

/** The parser throws `answer:3:5: ...`; the model is told the position in words. */
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

/** The parser's messages are about files, but the model has not written a file. */
function aboutAnswers(what: string): string {
  return what
    .replace('; use a .yaml file to keep them', '')
    .replace('the file ends', 'the JSON ends')
    .replace(' of the file', '');
}

function sentence(what: string): string {
  return `${what.charAt(0).toUpperCase()}${what.slice(1)}.`;
}

/** More would make the feedback longer than it helps. */
const SHOWN_ISSUES = 8;

/** The answer with defaults filled in. Throws an error that lists everything that is wrong. */
function checkAnswer<Value>({ value, positionOf }: AnswerJson, schema: ObjectSchema<Value>): Value {
  const read = readValue(schema, value);
  if (read.kind === 'read') return read.value;
  const { issues, count } = read;
  const shown = issues
    .slice(0, SHOWN_ISSUES)
    .map((issue) => `${showIssue(issue)}${showPosition(positionOf(issue.path))}`);
  if (count > SHOWN_ISSUES) shown.push(`and ${count - SHOWN_ISSUES} more`);
  throw new InvalidOutputError(
    `Output doesn't match ${schema.rules.title} schema: ${shown.join('; ')}`,
    [
      'Your JSON answer does not have the form that was asked for:',
      ...shown.map((line) => `- ${line}`),
      `Correct it and send the whole answer again. ${ANSWER_RULE}`,
    ].join('\n'),
    issues,
  );
}

/** Why no answer could be read. */
export type ParsingErrorCode =
  | 'answer-not-found'
  | 'answer-cut-off'
  | 'answer-ambiguous'
  | 'answer-too-large'
  | 'answer-not-json';

/** Thrown when no answer can be read from the output. */
export class ParsingError extends LoadoutError {
  /** Short, to be sent back to the model as it is. */
  readonly feedback: string;

  constructor(code: ParsingErrorCode, message: string, feedback: string) {
    super(code, message, { subject: 'answer', hint: feedback });
    this.feedback = feedback;
  }
}

/** Thrown when the answer is JSON but does not fit the schema of the role. */
export class InvalidOutputError extends LoadoutError {
  /** Short, to be sent back to the model as it is. */
  readonly feedback: string;
  /** At most the first hundred. */
  readonly issues: readonly ValueIssue[];

  constructor(message: string, feedback: string, issues: readonly ValueIssue[]) {
    super('answer-invalid', message, { subject: 'answer', hint: feedback });
    this.feedback = feedback;
    this.issues = issues;
  }
}

/** How to answer, in two lines. Every feedback ends with it. */
export const ANSWER_RULE =
  'End your response with one fenced code block labelled json (a line ```json, the JSON object, a line ```), ' +
  'not indented and not inside another fence.';
