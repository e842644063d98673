import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { choice, integer, list, matching, type Schema, text, textWhere, truth } from '../../schema/schema.ts';
import { PLAIN_ARGUMENT_ALLOWED, PLAIN_ARGUMENT_PATTERN } from '../../schema/text-values.ts';

// The sorts of values in a role file, in the words of its messages.

export const anyText: Schema<string> = text('text');
export const roleName = matching(/^[a-zA-Z][a-zA-Z0-9_-]*$/u, 'a letter, then letters, digits, _ and -');
/** A program cannot be given a NUL. Texts, because a linter takes a control character in a pattern for a mistake. */
const WITHOUT_NUL = '^[^\\u0000]*$';
const COMMAND_LINE = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
export const argument = matching(new RegExp(WITHOUT_NUL, 'u'), 'text without a NUL');
export const modelName = matching(new RegExp(PLAIN_ARGUMENT_PATTERN, 'u'), PLAIN_ARGUMENT_ALLOWED);
export const commandLine = matching(new RegExp(COMMAND_LINE, 'u'), 'a command line');
export const yesOrNo: Schema<boolean> = truth();

export const wholeNumber = (min: number, max: number): Schema<number> =>
  integer({ min, max }, `a whole number, ${min} to ${max}`);

export const oneOf = <const Value extends string>(values: readonly Value[]): Schema<Value> =>
  choice(values, values.map((value) => `"${value}"`).join(' or '));

export const listOf = <Value>(item: Schema<Value>, items: string): Schema<readonly Value[]> =>
  list(item, `a list of ${items}`);

/** What stands for more than a path where a role lists files. */
export const PATTERN_VARIABLES = [
  '$TARGET',
  '$TARGET_IMPORTS',
  '$CHANGED_FILES',
  '$RELATED',
  '$TESTS',
] as const;
export const STAGED_DIFF = 'git diff --cached';

/** Files, as globs and variables. A variable that is not known is a warning, see `check-role-fields.ts`. */
export const filePatterns: Schema<readonly string[]> = listOf(
  textWhere(
    { type: 'string', minLength: 1 },
    `a glob of * ** ? [] {} below the repository root, "${STAGED_DIFF}" or a variable such as $TARGET`,
    isPattern,
  ),
  'patterns',
);

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
