import { WORKER_NAMES } from '../../agents/index.ts';
import { type FieldGroup, optional, required, type ValuesOf } from './define-fields.ts';
import {
  anyText,
  argument,
  commandLine,
  filePatterns,
  listOf,
  modelName,
  oneOf,
  roleName,
  wholeNumber,
  yesOrNo,
} from './field-kinds.ts';

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
