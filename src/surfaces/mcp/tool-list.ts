import { CLIENTS } from '../../agents/table.ts';

/** A tool as `tools/list` shows it. */
export interface ToolDeclaration {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, PropertySchema>>;
    readonly required: readonly string[];
    readonly additionalProperties: false;
  };
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export type PropertySchema =
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
const MAX_TASK = 100_000;
const MAX_GAP = 400;

const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What clients want to hear about a tool with a large result; each reads its own names and skips the others. */
function largeResult(isMain: boolean): Readonly<Record<string, unknown>> {
  const traits = { isMain, maxResultCharacters: MAX_RESULT_CHARACTERS };
  return Object.assign({}, ...CLIENTS.map(({ mcp }) => mcp?.toolMeta?.(traits)));
}

function text(description: string, maxLength = 1_000): PropertySchema {
  return { type: 'string', description, maxLength };
}

function object(
  properties: Readonly<Record<string, PropertySchema>>,
  required: readonly string[],
): ToolDeclaration['inputSchema'] {
  return { type: 'object', properties, required, additionalProperties: false };
}

const ROLE = text('Role of the agent, such as reviewer or tester', 100);
const OTHER_ROLE = text('Role of the agent, if it is not that of the last get_context', 100);

/** The order is part of the prompt that clients cache: it never depends on anything. */
export const TOOLS: readonly ToolDeclaration[] = [
  {
    name: 'get_context',
    title: 'Context for a task',
    description:
      'The files, excerpts and signatures of this repository that a task needs, chosen and fitted into a token budget. Call it once before reading files.',
    inputSchema: object(
      {
        task: text('What is to be done: the issue, error or request, as complete as you have it', MAX_TASK),
        targets: {
          type: 'array',
          description: 'Files that are known to matter, relative to the repository',
          items: { type: 'string', maxLength: 1_000 },
          maxItems: 50,
        },
        role: ROLE,
        budget: { type: 'integer', description: 'Most tokens', minimum: 500, maximum: 120_000 },
      },
      ['task'],
    ),
    annotations: READ_ONLY,
    _meta: largeResult(true),
  },
  {
    name: 'search_code',
    title: 'Search the code',
    description:
      'Ranks files and definitions of this repository for words, names or a question; gives paths with lines, no content.',
    inputSchema: object(
      {
        query: text('Names, words or a question', MAX_TASK),
        role: OTHER_ROLE,
        limit: { type: 'integer', description: 'Most files (default 10)', minimum: 1, maximum: 100 },
      },
      ['query'],
    ),
    annotations: READ_ONLY,
  },
  {
    name: 'expand',
    title: 'Show more of a file',
    description:
      'Shows what a package left out or only named: `src/a.ts` (a file), `src/a.ts:40-90` (lines), `src/a.ts#Foo.bar` (a definition) or `Foo.bar` (wherever it is defined).',
    inputSchema: object(
      {
        reference: text('One of the four forms'),
        role: OTHER_ROLE,
        budget: {
          type: 'integer',
          description: 'Most tokens (default 8000)',
          minimum: 100,
          maximum: 120_000,
        },
      },
      ['reference'],
    ),
    annotations: READ_ONLY,
    _meta: largeResult(false),
  },
  {
    name: 'report_gap',
    title: 'Report missing context',
    description:
      'Says what a package lacked, so that later packages are better. Changes no file of the repository.',
    inputSchema: object(
      {
        package: text('Id of the package, from its last line', 80),
        missing: text('What was needed and not there: paths, names, why', MAX_GAP),
      },
      ['package', 'missing'],
    ),
    annotations: { ...READ_ONLY, readOnlyHint: false },
  },
];

/** Reaches every agent of the client: when to call, and no more. */
export const INSTRUCTIONS =
  'Loadout knows this repository. Before you search or read files for a task, call get_context once with the whole task text. Use search_code and expand for what is missing, and report_gap when the package lacked something you needed.';
