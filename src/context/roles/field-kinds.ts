import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from '../../scan/discover/path-filter.ts';
import { integerKind } from '../../schema/number-kinds.ts';
import { PLAIN_ARGUMENT_ALLOWED, PLAIN_ARGUMENT_PATTERN } from '../../schema/plain-argument.ts';
import type { JsonSchema } from '../../schema/schema.ts';
import { booleanKind, choiceKind } from '../../schema/text-kinds.ts';
import type { Range, ValueKind } from '../../schema/value-kind.ts';

type JsonType = 'string' | 'integer' | 'boolean' | 'array';

/** One sort of value in a role file. The idea is that of a setting's `ValueKind`, for files alone. */
export interface FieldKind<Value> {
  readonly type: JsonType;
  /** Completes the sentence "allowed is ...". */
  readonly allowed: string;
  /** Undefined means that this value is not allowed. */
  readonly read: (value: unknown) => Value | undefined;
  /** What each item of a list has to be. */
  readonly item?: FieldKind<unknown>;
  readonly schema: JsonSchema;
}

function ofSetting<Value>(
  type: JsonType,
  kind: ValueKind<Value>,
  allowed: string = kind.allowed,
): FieldKind<Value> {
  return { type, allowed, read: kind.fromFile, schema: { type, ...kind.schema } };
}

function textKind(allowed: string, pattern?: string): FieldKind<string> {
  const expression = pattern === undefined ? null : new RegExp(pattern, 'u');
  return {
    type: 'string',
    allowed,
    read: (value) => (typeof value === 'string' && (expression?.test(value) ?? true) ? value : undefined),
    schema: { type: 'string', ...(pattern === undefined ? {} : { pattern }) },
  };
}

const NAME_PATTERN = '^[a-zA-Z][a-zA-Z0-9_-]*$';

export const text = textKind('text');
export const roleName = textKind('a letter, then letters, digits, _ and -', NAME_PATTERN);
/** A program cannot be given a NUL. */
export const argument = textKind('text without a NUL', '^[^\\u0000]*$');
export const modelName = textKind(PLAIN_ARGUMENT_ALLOWED, PLAIN_ARGUMENT_PATTERN);
export const commandLine = textKind('a command line', '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$');

export const truth: FieldKind<boolean> = ofSetting('boolean', booleanKind, 'true or false');
export const wholeNumber = (range: Range): FieldKind<number> => ofSetting('integer', integerKind(range));
export const choice = <const Value extends string>(values: readonly Value[]): FieldKind<Value> =>
  ofSetting('string', choiceKind(values));

export function listOf<Value>(item: FieldKind<Value>, items: string): FieldKind<readonly Value[]> {
  return {
    type: 'array',
    allowed: `a list of ${items}`,
    read: (value) => {
      if (!Array.isArray(value)) return undefined;
      const read = value.map(item.read);
      return read.every((one): one is Value & {} => one !== undefined) ? read : undefined;
    },
    item,
    schema: { type: 'array', items: item.schema },
  };
}

/** What stands for more than a path where a role lists files. */
export const PATTERN_VARIABLES = [
  '$TARGET',
  '$TARGET_IMPORTS',
  '$CHANGED_FILES',
  '$RELATED',
  '$TESTS',
] as const;
export const STAGED_DIFF = 'git diff --cached';

export const filePattern: FieldKind<string> = {
  type: 'string',
  allowed: `a glob of * ** ? [] {} below the repository root, "${STAGED_DIFF}" or a variable such as $TARGET`,
  read: (value) => (typeof value === 'string' && isPattern(value) ? value : undefined),
  schema: { type: 'string', minLength: 1 },
};

function isPattern(value: string): boolean {
  if (value.startsWith('$') || value === STAGED_DIFF) return true;
  try {
    createPathFilter([value], []);
    return true;
  } catch (error) {
    if (error instanceof LoadoutError) return false;
    throw error;
  }
}
