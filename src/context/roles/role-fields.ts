import { WORKER_NAMES } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { createPathFilter } from '../../scan/discover/index.ts';
import { choice, integer, list, matching, type Schema, text, textWhere, truth } from '../../schema/schema.ts';
import { PLAIN_ARGUMENT_ALLOWED, PLAIN_ARGUMENT_PATTERN } from '../../schema/text-values.ts';

/**
 * How the value of an overlay is combined with the inherited one.
 *
 * - `own`: the field is never inherited.
 * - `replace`: the overlay's value wins.
 * - `append`: the overlay's items follow the inherited ones.
 * - `append-new`: the same, without items that are already in the list.
 * - `extend-prompt`: the text follows the system prompt.
 */
export type MergeRule = 'own' | 'replace' | 'append' | 'append-new' | 'extend-prompt';

/**
 * When a field of a repository's file needs the user's trust. `always`: the value can reach a command line.
 * `in-place-of-another`: only in a file that reuses the name of a user's role or of a built-in role.
 */
export type FieldTrust = 'always' | 'in-place-of-another';

/** The declaration of one field of a role file. */
export interface Field<Value, Fallback> {
  /** Checks the value and describes it in messages and in the JSON Schema. */
  readonly kind: Schema<Value>;
  readonly merge: MergeRule;
  /** One sentence for the documentation and for editors. */
  readonly help: string;
  /** Some file of the chain has to set it. */
  readonly isRequired: boolean;
  /** The value when no file of the chain sets one. */
  readonly fallback?: Fallback;
  /** Absent for fields that never need trust. */
  readonly needsTrust?: FieldTrust;
  /** A second name, at the top level of a file. The field's own name wins when a file has both. */
  readonly alias?: string;
}

/** A map of fields, such as `context`. It is merged field by field. */
export interface FieldGroup<Fields> {
  readonly fields: Fields;
  readonly help: string;
}

/** A field whose types do not matter to the reader. */
export type AnyField = Field<unknown, unknown>;
/** Fields and groups by their names in code. */
export type FieldTable = Readonly<Record<string, AnyField | FieldGroup<Readonly<Record<string, AnyField>>>>>;

type ValueOf<Declared> =
  Declared extends FieldGroup<infer Fields>
    ? ValuesOf<Fields>
    : Declared extends Field<infer Value, infer Fallback>
      ? Value | Fallback
      : never;

/** The type of a merged role, worked out from the declarations. */
type ValuesOf<Fields> = { readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };

type Declaration = Pick<AnyField, 'merge' | 'help' | 'needsTrust' | 'alias'>;

/** Declares a field that some file of the chain must set. */
function required<Value>(kind: Schema<Value>, declaration: Declaration): Field<Value, never> {
  return { ...declaration, kind, isRequired: true };
}

/** Declares a field that may be absent from all files. */
function optional<Value, const Fallback extends NoInfer<Value> | null>(
  kind: Schema<Value>,
  declaration: Declaration & { readonly fallback: Fallback },
): Field<Value, Fallback> {
  return { ...declaration, kind, isRequired: false };
}

/** Tells a group from a field. */
export const isGroup = (
  declared: FieldTable[string],
): declared is FieldGroup<Readonly<Record<string, AnyField>>> => 'fields' in declared;

/** The fields that have a second name, by that name. */
export function aliasesIn(table: FieldTable): ReadonlyMap<string, AnyField> {
  const fields = Object.values(table).flatMap((one) => (isGroup(one) ? Object.values(one.fields) : [one]));
  return new Map(fields.flatMap((field) => (field.alias === undefined ? [] : [[field.alias, field]])));
}

/** `tokenBudget` in code is `token_budget` in a file. */
export const nameInFile = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

// The kinds of values in a role file. Their descriptions appear in messages.

const anyText: Schema<string> = text('text');
/** A role name is also a file name and an argument, so it has no spaces, dots or slashes. */
export const roleName = matching(/^[a-zA-Z][a-zA-Z0-9_-]*$/u, 'a letter, then letters, digits, _ and -');
/** A program cannot take a NUL. The patterns are strings because the linter rejects control characters in a pattern. */
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

/** Names that a role can use in its file lists. Each stands for files that are known only when a prompt is built. */
export const PATTERN_VARIABLES = [
  '$TARGET',
  '$TARGET_IMPORTS',
  '$CHANGED_FILES',
  '$RELATED',
  '$TESTS',
] as const;
/** In `include` this asks for the staged change as text, not for files. */
export const STAGED_DIFF = 'git diff --cached';

/** Files, as globs and variables. An unknown variable is a warning, not an error: see `FieldChecker`. */
export const filePatterns: Schema<readonly string[]> = listOf(
  textWhere(
    { type: 'string', minLength: 1 },
    `a glob of * ** ? [] {} below the repository root, "${STAGED_DIFF}" or a variable such as $TARGET`,
    isPattern,
  ),
  'patterns',
);

/** Only the glob compiler knows which patterns are valid, so it is asked. */
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
 * Every field of a role file, declared once. The type, the checks, the merge, the JSON Schema and the table in the
 * documentation come from here. Names are camel case here and snake case in files.
 *
 * `maxTokenBudget` is the largest `token_budget` that a file may set.
 */
export function roleFields(maxTokenBudget: number = DEFAULT_MAX_TOKEN_BUDGET) {
  return {
    name: required(roleName, {
      merge: 'own',
      help: 'Name of the role; the same as the name of its file.',
    }),
    description: required(anyText, { merge: 'replace', help: 'One line about the role.' }),
    extends: optional(roleName, {
      merge: 'own',
      fallback: null,
      help: 'The role that this one adds to.',
    }),
    cli: required(oneOf(WORKER_NAMES), { merge: 'replace', help: 'The agent CLI that does the work.' }),
    flags: optional(listOf(argument, 'texts'), {
      merge: 'append',
      fallback: [],
      needsTrust: 'always',
      help: 'Arguments for the command line of the agent.',
    }),
    systemPrompt: required(anyText, {
      merge: 'replace',
      needsTrust: 'in-place-of-another',
      help: 'The system prompt: who the agent is and how it works.',
    }),
    systemPromptAdditions: optional(anyText, {
      merge: 'extend-prompt',
      fallback: null,
      needsTrust: 'in-place-of-another',
      help: 'Text that comes after the system prompt, a blank line between them.',
    }),
    context: group('The context of the agent.', {
      include: optional(filePatterns, {
        merge: 'append-new',
        fallback: [],
        help: 'Files for the context, as many as fit into the budget.',
      }),
      exclude: optional(filePatterns, {
        merge: 'append-new',
        fallback: [],
        help: 'Files to leave out, even if `include` names them.',
      }),
      alwaysInclude: optional(filePatterns, {
        merge: 'append-new',
        fallback: [],
        help: 'Files that are always shown, whatever the budget.',
      }),
      tokenBudget: optional(wholeNumber(1000, maxTokenBudget), {
        merge: 'replace',
        fallback: null,
        help: 'Token budget of the prompt; the default is the setting `tokenBudget`.',
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
        help: 'If not empty, only these files are shown.',
      }),
    }),
    gates: optional(listOf(commandLine, 'command lines'), {
      merge: 'append-new',
      fallback: [],
      needsTrust: 'always',
      help: 'Commands that must succeed before the result is accepted.',
    }),
    config: group('How a run in this role is carried out.', {
      maxRetries: optional(wholeNumber(1, 10), {
        merge: 'replace',
        fallback: null,
        help: 'Number of attempts after the first one fails.',
      }),
      timeout: optional(wholeNumber(30, 3600), {
        merge: 'replace',
        fallback: null,
        help: 'Time limit of one attempt, in seconds.',
      }),
      tdd: optional(yesOrNo, {
        merge: 'replace',
        fallback: false,
        help: 'Tell the agent to write a test, and to see it fail, before it changes code.',
      }),
      coverageTarget: optional(wholeNumber(0, 100), {
        merge: 'replace',
        fallback: null,
        help: 'Tell the agent which percentage of the lines that it adds or changes its tests must cover; 0 asks for nothing.',
      }),
      model: optional(modelName, {
        merge: 'replace',
        fallback: null,
        needsTrust: 'always',
        alias: 'x-model',
        help: 'Name of the model, as the CLI expects it; by default the CLI chooses. `x-model` at the top of a file means the same.',
      }),
    }),
  };
}

type RoleFields = ReturnType<typeof roleFields>;
/** The values of a merged role, with all fallbacks filled in. */
export type RoleValues = Omit<ValuesOf<RoleFields>, 'systemPromptAdditions'>;
