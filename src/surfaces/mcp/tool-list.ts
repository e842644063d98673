/**
 * Declares the MCP tools: descriptions, arguments and limits. Their names are in src/agents/, because set-up writes
 * them into the settings of clients.
 */

import { CLIENTS, SERVER_TOOLS } from '../../agents/index.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type Fields, type ObjectSchema, object } from '../../schema/object-schema.ts';
import {
  described,
  filledText,
  integer,
  isJsonObject,
  list,
  maybe,
  type Schema,
  withJson,
} from '../../schema/schema.ts';
import { readValue } from '../../schema/value-issues.ts';

/** The name of a tool. A name without a row here or a function in call-tool.ts does not compile. */
export type ToolName = (typeof SERVER_TOOLS)[number];

/** A tool as `tools/list` shows it. */
export interface ToolDeclaration {
  readonly name: ToolName;
  readonly title: string;
  /** Read by the model, which decides by it when to call the tool. */
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, PropertySchema>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  /** Hints of the protocol. Clients use them to decide whether to ask the user. */
  readonly annotations: Readonly<Record<string, boolean>>;
  /** Fields that single clients understand. */
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** The parts of JSON Schema that arguments need. */
type PropertySchema =
  | {
      readonly type: 'string';
      readonly description: string;
      readonly maxLength: number;
    }
  | {
      readonly type: 'integer';
      readonly description: string;
      readonly minimum: number;
      readonly maximum: number;
    }
  | {
      readonly type: 'array';
      readonly description: string;
      readonly items: { readonly type: 'string'; readonly maxLength: number };
      readonly maxItems: number;
    };

/** Clients that cut results at 50,000 characters let a tool say how much it may return. */
const MAX_RESULT_CHARACTERS = 500_000;
/** Characters of a task, with a log pasted into it. */
const MAX_TASK = 100_000;
/** Characters of a gap: a sentence or two. */
const MAX_GAP = 400;

/** No tool changes the repository or reaches the network. */
const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** Hints for clients about a tool with a large result. Each client reads its own names and skips the others. */
function largeResult(isMain: boolean): Readonly<Record<string, unknown>> {
  const traits = { isMain, maxResultCharacters: MAX_RESULT_CHARACTERS };
  return Object.assign({}, ...CLIENTS.map(({ mcp }) => mcp?.toolMeta?.(traits)));
}

/** A text that is not blank. */
const textUpTo = (max: number): Schema<string> =>
  withJson(filledText(max, `a text of 1 to ${max} characters, not blank`), {
    type: 'string',
    maxLength: max,
  });
const text = (help: string, max = 1_000): Schema<string> => described(textUpTo(max), help);

const whole = (help: string, min: number, max: number): Schema<number> =>
  described(integer({ min, max }, `a whole number from ${min} to ${max}`), help);

/** More targets than this leave no room for anything else. */
const MAX_TARGETS = 50;
const TARGETS = described(
  list(textUpTo(1_000), `a list of at most ${MAX_TARGETS} texts`, MAX_TARGETS),
  'Files that are known to matter, relative to the repository',
);
/** For tools that follow on a package. */
const OTHER_ROLE = text('Role of the agent, if it is not that of the last get_context', 100);

const argumentsOf = (fields: Fields): ObjectSchema<unknown> => object({ title: 'arguments' }, fields);

/** A tool without its name. The check of its arguments and the schema that clients see come from `arguments`. */
interface ToolRow extends Pick<ToolDeclaration, 'title' | 'description' | 'annotations' | '_meta'> {
  readonly arguments: ObjectSchema<unknown>;
}

const ROWS: Readonly<Record<ToolName, ToolRow>> = {
  get_context: {
    title: 'Context for a task',
    description:
      'Returns the code of this repository that a task is about: definitions with path and line numbers, callers, tests. Call it once, before reading files. Do not call it again for the same task, or for a file whose path you know.',
    arguments: argumentsOf({
      task: text('The whole task: the issue, error or request', MAX_TASK),
      targets: maybe(TARGETS),
      role: maybe(text('Role of the agent, such as reviewer or tester', 100)),
      max_tokens: maybe(whole('Tokens of the answer (default 2000)', 300, 50_000)),
      budget: maybe(whole('Return whole files instead, in a package of this many tokens', 500, 120_000)),
    }),
    annotations: READ_ONLY,
    _meta: largeResult(true),
  },
  search_code: {
    title: 'Search the code',
    description:
      'Ranks files and definitions of this repository for words, names or a question; gives paths with lines, no content. Do not call it for an exact string: grep is better.',
    arguments: argumentsOf({
      query: text('Names, words or a question', MAX_TASK),
      role: maybe(OTHER_ROLE),
      limit: maybe(whole('Maximum number of files (default 10)', 1, 100)),
    }),
    annotations: READ_ONLY,
  },
  expand: {
    title: 'Show more of a file',
    description:
      'Shows what an answer left out or only named: `src/a.ts` (a file), `src/a.ts:40-90` (lines), `src/a.ts#Foo.bar` (a definition), `Foo.bar` (wherever it is defined) or the `more:` handle of an answer. Do not call it for lines that you have seen.',
    arguments: argumentsOf({
      reference: text('One of these forms'),
      role: maybe(OTHER_ROLE),
      budget: maybe(whole('Token budget (default 8000)', 100, 120_000)),
    }),
    annotations: READ_ONLY,
    _meta: largeResult(false),
  },
  report_gap: {
    title: 'Report missing context',
    description:
      'Reports what an answer lacked, so that later answers are better. Changes no file of the repository. Do not call it when nothing was missing.',
    arguments: argumentsOf({
      package: text('Id of the package, from its last line', 80),
      missing: text('What was missing: paths, names, why you need them', MAX_GAP),
    }),
    annotations: { ...READ_ONLY, readOnlyHint: false },
  },
};

/** The order is part of the prompt that clients cache, so it never changes. */
export const TOOLS: readonly ToolDeclaration[] = SERVER_TOOLS.map((name) => {
  const { title, description, arguments: fields, ...more } = ROWS[name];
  const { title: _, ...inputSchema } = fields.jsonSchema;
  return {
    ...{ name, title, description },
    inputSchema: inputSchema as ToolDeclaration['inputSchema'],
    ...more,
  };
});

/** Reaches every agent of the client: when to call, and no more. */
export const INSTRUCTIONS =
  'Loadout knows this repository. Before you search or read files for a task, call get_context once with the whole task text. Use search_code and expand for what is missing, and report_gap when the package lacked something you needed.';

/** Arguments that have passed the check. */
export type ToolArguments = Readonly<Record<string, string | number | readonly string[]>>;

/** The arguments that a client sent for a tool, checked against the schema that it was shown. */
export function readToolArguments({ name }: ToolDeclaration, given: unknown): ToolArguments {
  if (given !== undefined && !isJsonObject(given)) throw refuse('arguments', 'must be an object');
  // Some clients send null for an argument that they leave out.
  const present = Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const schema = ROWS[name].arguments;
  const read = readValue(schema, Object.fromEntries(present));
  if (read.kind === 'read') return read.value as ToolArguments;
  const { path, expected } = read.issues[0]!;
  const argument = String(path[0]);
  const known = Object.keys(schema.fields);
  if (!known.includes(argument)) {
    const message = `unknown argument ${JSON.stringify(argument.slice(0, 80))}; expected ${known.join(', ')}`;
    throw new LoadoutError('bad-arguments', message, { subject: argument });
  }
  const isMissing = !present.some(([one]) => one === argument);
  throw refuse(argument, isMissing ? 'is missing' : `must be ${expected}`);
}

/** An error that starts with the name of the argument. */
function refuse(name: string, message: string): LoadoutError {
  return new LoadoutError('bad-arguments', `${name}: ${message}`, { subject: name });
}
