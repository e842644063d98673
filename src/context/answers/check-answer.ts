import type { ObjectSchema } from '../../schema/object-schema.ts';
import { readValue, showIssue } from '../../schema/value-issues.ts';
import { ANSWER_RULE, InvalidOutputError } from './answer-errors.ts';
import type { AnswerJson } from './parse-answer-json.ts';
import { showPosition } from './parse-answer-json.ts';

const SHOWN_ISSUES = 8;

/** The answer as the schema has it, defaults filled in, or an error that lists everything that is wrong. */
export function checkAnswer<Value>({ value, positionOf }: AnswerJson, schema: ObjectSchema<Value>): Value {
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
