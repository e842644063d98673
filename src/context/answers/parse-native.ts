import { checkArguments, required, SCHEMA, TEXT } from '../../schema/check-arguments.ts';
import type { ObjectSchema } from '../../schema/object-schema.ts';
import { checkAnswer } from './check-answer.ts';
import { type AnswerJson, notJson, parseAnswerJson } from './parse-answer-json.ts';
import { plainJson, showRefusal } from './plain-json.ts';

/**
 * An answer from the structured channel of a CLI that was asked for it by a flag. A channel of its own: text
 * is never looked at for it, and a text given here is a text, not JSON.
 */
export function parseNative<Value>(value: unknown, schema: ObjectSchema<Value>): Value {
  checkArguments('parseNative', { schema }, { schema: SCHEMA });
  const plain = plainJson(value);
  if (plain.kind === 'refused') throw notJson(showRefusal(plain.refusal));
  const answer: AnswerJson = { value: plain.value, positionOf: () => undefined };
  return checkAnswer(answer, schema);
}

/** The same for a CLI whose structured channel is a text that holds JSON and nothing else. */
export function parseNativeText<Value>(json: string, schema: ObjectSchema<Value>): Value {
  checkArguments('parseNativeText', { json, schema }, { json: required(TEXT), schema: SCHEMA });
  return checkAnswer(parseAnswerJson(json), schema);
}
