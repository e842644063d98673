import { describeValue } from '../../../schema/describe-value.ts';
import { object } from '../../../schema/object-schema.ts';
import type { JsonValue, Schema } from '../../../schema/schema.ts';
import { list, optional } from '../../../schema/value-schemas.ts';
import type { TreeNode } from './tree-node.ts';

const MOST_ATTEMPTS = 1_000;
/** It becomes part of commit messages and of paths that people read. */
const ID = /^[A-Za-z0-9][\w.-]{0,63}$/;
const ROLE = /^[A-Za-z0-9][\w-]{0,63}$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const NOT_ONE_LINE = /[\u0000-\u001f\u007f\u0085\u2028\u2029]/;

function checked<Value extends JsonValue>(
  expected: string,
  type: string,
  accepts: (value: JsonValue) => boolean,
): Schema<Value> {
  return {
    expected,
    jsonSchema: { type },
    read: (value, path, report) => {
      if (!accepts(value)) report({ path, expected, received: describeValue(value) });
      return value as Value;
    },
  };
}

const whole = (least: number, most: number): Schema<number> =>
  checked(`a whole number from ${least} to ${most}`, 'integer', (value) => {
    return Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most;
  });
const line: Schema<string> = checked(
  'one line of text',
  'string',
  (value) => typeof value === 'string' && value.trim() !== '' && !NOT_ONE_LINE.test(value),
);
const matching = (pattern: RegExp, expected: string): Schema<string> =>
  checked(expected, 'string', (value) => typeof value === 'string' && pattern.test(value));

/** Lets the schema name itself. */
const child: Schema<TreeNode> = {
  expected: 'a node',
  jsonSchema: { $ref: '#' },
  read: (value, path, report) => treeSchema.read(value, path, report) as TreeNode,
};

/** Strict: a field that is not known here is a mistake. */
export const treeSchema = object(
  { title: 'TreeNode' },
  {
    id: matching(ID, 'letters, digits, ".", "_" and "-", at most 64'),
    order: whole(-1_000_000, 1_000_000),
    title: line,
    goal: checked<string>('a text', 'string', (value) => typeof value === 'string' && !value.includes('\0')),
    acceptance: list(line),
    passes: checked<boolean>('true or false', 'boolean', (value) => typeof value === 'boolean'),
    attempts: whole(0, MOST_ATTEMPTS),
    max_attempts: whole(1, MOST_ATTEMPTS),
    role: optional(matching(ROLE, 'the name of a role'), () => ''),
    children: list(child),
  },
);
