import { WORKER_NAMES } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { PLAIN_ARGUMENT_ALLOWED, PLAIN_ARGUMENT_PATTERN } from '../../schema/plain-argument.ts';
import { choice, integer, list, matching, type Schema, text, textWhere, truth } from '../../schema/schema.ts';

/**
 * How an overlay's value meets the one it inherits. `own`: nothing is inherited. `replace`: the overlay's value
 * counts. `append`: the overlay's items come after the inherited ones. `append-new`: the same, but an item that is
 * there already is not repeated. `extend-prompt`: the text comes after the system prompt.
 */
export type MergeRule = 'own' | 'replace' | 'append' | 'append-new' | 'extend-prompt';

/**
 * What takes trust when the file is the repository's own. `always`: it can end up on a command line.
 * `in-place-of-another`: it would speak for a role of the user's or a built-in one, whose name the file takes.
 */
export type FieldTrust = 'always' | 'in-place-of-another';

export interface Field<Value, Fallback> {
  readonly kind: Schema<Value>;
  readonly merge: MergeRule;
  readonly help: string;
  readonly isRequired: boolean;
  /** What holds when no file of the chain says anything. */
  readonly fallback?: Fallback;
  readonly needsTrust?: FieldTrust;
  /** Another name for it, at the top of a file; its own name counts when a file has both. */
  readonly alias?: string;
}

/** A map of fields, merged field by field. */
export interface FieldGroup<Fields> {
  readonly fields: Fields;
  readonly help: string;
}

export type AnyField = Field<unknown, unknown>;
export type FieldTable = Readonly<Record<string, AnyField | FieldGroup<Readonly<Record<string, AnyField>>>>>;

type ValueOf<Declared> =
  Declared extends FieldGroup<infer Fields>
    ? ValuesOf<Fields>
    : Declared extends Field<infer Value, infer Fallback>
      ? Value | Fallback
      : never;

/** The type of what the files of a chain say together. */
type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

type Declaration = Pick<AnyField, 'merge' | 'help' | 'needsTrust' | 'alias'>;

function required<Value>(kind: Schema<Value>, declaration: Declaration): Field<Value, never> {
  return { ...declaration, kind, isRequired: true };
}

function optional<Value, const Fallback extends NoInfer<Value> | null>(
  kind: Schema<Value>,
  declaration: Declaration & { readonly fallback: Fallback },
): Field<Value, Fallback> {
  return { ...declaration, kind, isRequired: false };
}

export const isGroup = (
  declared: FieldTable[string],
): declared is FieldGroup<Readonly<Record<string, AnyField>>> => 'fields' in declared;

/** The fields that have another name, by that name. */
export function aliasesIn(table: FieldTable): ReadonlyMap<string, AnyField> {
  const fields = Object.values(table).flatMap((one) => (isGroup(one) ? Object.values(one.fields) : [one]));
  return new Map(fields.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field]])));
}

/** `tokenBudget` in code is `token_budget` in a file. */
export const nameInFile = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// The sorts of values in a role file, in the words of its messages.

const anyText: Schema<string> = text('text');
export const roleName = matching(/^[a-zA-Z][a-zA-Z0-9_-]*$/u, 'a letter, then letters, digits, _ and -');
/** A program cannot be given a NUL. Texts, because a linter takes a control character in a pattern for a mistake. */
const WITHOUT_NUL = '^[^\\u0000]*$';
const COMMAND_LINE = '^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$';
const argument = matching(new RegExp(WITHOUT_NUL, 'u'), 'text without a NUL');
const modelName = matching(new RegExp(PLAIN_ARGUMENT_PATTERN, 'u'), PLAIN_ARGUMENT_ALLOWED);
const commandLine = matching(new RegExp(COMMAND_LINE, 'u'), 'a command line');
const yesOrNo: Schema<boolean> = truth();

const wholeNumber = (min: number, max: number): Schema<number> =>
  integer({ min, max }, `a whole number, ${min} to ${max}`);

const oneOf = <const Value extends string>(values: readonly Value[]): Schema<Value> =>
  choice(values, values.map((value) => `"${value}"`).join(' or '));

const listOf = <Value>(item: Schema<Value>, items: string): Schema<readonly Value[]> =>
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

const DEFAULT_MAX_TOKEN_BUDGET = 100_000;

const group = <Fields>(help: string, fields: Fields): FieldGroup<Fields> => ({ help, fields });

/**
 * Everything a role file can say, once: the type, the checks, the merge, the JSON Schema and the table in the
 * documentation come from here. Names are camel case here and snake case in files.
 */
export function roleFields(maxTokenBudget: number = DEFAULT_MAX_TOKEN_BUDGET) {
  return {
    name: required(roleName, {
      merge: 'own',
      help: 'What the role is called; the same as the name of its file.',
    }),
    description: required(anyText, { merge: 'replace', help: 'One line about the role.' }),
    extends: optional(roleName, {
      merge: 'own',
      fallback: null,
      help: 'The role that this one adds to.',
    }),
    cli: required(oneOf(WORKER_NAMES), { merge: 'replace', help: 'The agent that works in this role.' }),
    flags: optional(listOf(argument, 'texts'), {
      merge: 'append',
      fallback: [],
      needsTrust: 'always',
      help: 'Arguments for the command line of the agent.',
    }),
    systemPrompt: required(anyText, {
      merge: 'replace',
      needsTrust: 'in-place-of-another',
      help: 'Who the agent is and how it works.',
    }),
    systemPromptAdditions: optional(anyText, {
      merge: 'extend-prompt',
      fallback: null,
      needsTrust: 'in-place-of-another',
      help: 'Text that comes after the system prompt, a blank line between them.',
    }),
    context: group('What the agent gets to see.', {
      include: optional(filePatterns, {
        merge: 'append-new',
        fallback: [],
        help: 'Files that belong into the context, best effort inside the budget.',
      }),
      exclude: optional(filePatterns, {
        merge: 'append-new',
        fallback: [],
        help: 'Files that stay out, whatever `include` says.',
      }),
      alwaysInclude: optional(filePatterns, {
        merge: 'append-new',
        fallback: [],
        help: 'Files that are never left out for the budget.',
      }),
      tokenBudget: optional(wholeNumber(1000, maxTokenBudget), {
        merge: 'replace',
        fallback: null,
        help: 'Tokens that the prompt may have; without it the setting `tokenBudget` counts.',
      }),
      gitDiff: optional(yesOrNo, {
        merge: 'replace',
        fallback: false,
        help: 'Show the staged changes.',
      }),
      priorityOrder: optional(listOf(anyText, 'texts'), {
        merge: 'replace',
        fallback: [],
        help: 'Parts of the context, the most important first; the last one is left out first.',
      }),
      pathRestrictions: optional(filePatterns, {
        merge: 'replace',
        fallback: [],
        help: 'When it is not empty, no other files are shown.',
      }),
    }),
    gates: optional(listOf(commandLine, 'command lines'), {
      merge: 'append-new',
      fallback: [],
      needsTrust: 'always',
      help: 'Commands that must succeed before the result of the agent counts.',
    }),
    config: group('How a run in this role goes.', {
      maxRetries: optional(wholeNumber(1, 10), {
        merge: 'replace',
        fallback: null,
        help: 'Attempts after a failed one.',
      }),
      timeout: optional(wholeNumber(30, 3600), {
        merge: 'replace',
        fallback: null,
        help: 'Seconds that one attempt may take.',
      }),
      tdd: optional(yesOrNo, {
        merge: 'replace',
        fallback: false,
        help: 'The agent is told to write a test, and to see it fail, before it changes code.',
      }),
      coverageTarget: optional(wholeNumber(0, 100), {
        merge: 'replace',
        fallback: null,
        help: 'The agent is told how many percent of the lines that it adds or changes its tests must reach; 0 asks for nothing.',
      }),
      model: optional(modelName, {
        merge: 'replace',
        fallback: null,
        needsTrust: 'always',
        alias: 'x-model',
        help: 'The model, as the CLI calls it; without it the CLI chooses. `x-model` at the top of a file means the same.',
      }),
    }),
  };
}

type RoleFields = ReturnType<typeof roleFields>;
/** What the files of a chain say together, with everything filled in. */
export type RoleValues = Omit<ValuesOf<RoleFields>, 'systemPromptAdditions'>;
