/**
 * The shapes of the JSON that other programs read: packages, rankings, briefs and the answers of hooks.
 * `node scripts/generate-reference.mjs` writes them into `schema/`, and a test holds real output against them.
 */

import { ITEM_FORMS } from '../../model/context-pack.ts';
import { SIGNALS } from '../../model/ranking.ts';
import { TASK_ACTIONS } from '../../model/task-analysis.ts';
import { type Fields, jsonSchemaOf, object, schemaHead } from '../../schema/object-schema.ts';
import {
  checked,
  choice,
  described,
  freeObject,
  integer,
  type JsonSchema,
  list,
  maybe,
  nullable,
  number,
  type Schema,
  text,
  truth,
} from '../../schema/schema.ts';

const one = (title: string, fields: Fields) => object({ title }, fields);
const many = (title: string, fields: Fields) => list(one(title, fields));
const count = () => integer({ min: 0 });
const line = () => integer({ min: 1 });
const share = () => number({ min: 0, max: 1 }, 'a number from 0 to 1');
const zone = () => choice(['title', 'lead', 'prose', 'code', 'trace', 'boilerplate']);

const path = () => described(text(), 'Relative to the root of the repository, with "/".');

const diagnostics = () =>
  many('Diagnostic', {
    code: described(text(), 'For programs: "file-skipped", "secret-redacted".'),
    severity: choice(['info', 'warning']),
    message: text(),
    path: maybe(path()),
  });

const spans = () =>
  many('Lines of a file, from 1, both ends included', { startLine: line(), endLine: line() });

const SCORES = { combinedScore: share(), astScore: share(), semanticScore: share() };

/** One file of a package. */
const ITEM: Fields = {
  path: path(),
  form: described(choice(ITEM_FORMS), 'How much of the file is shown.'),
  tokens: described(count(), 'Tokens of the file in the text, with its heading.'),
  ...SCORES,
  source: choice(['ast', 'semantic', 'both', 'target', 'always']),
  symbols: described(list(text()), 'Definitions that matter, best first.'),
  spans: spans(),
  lineRuns: many('Lines of the content, and where they are in the file', {
    startLine: described(nullable(line()), 'Null for lines that are not in the file.'),
    count: count(),
  }),
  language: text(),
  reason: described(text(), 'Why the file is in, for people.'),
  content: described(text(), 'Without secrets; empty for a mention.'),
};

const RECEIPT_PARTS = [
  ...['file', 'convention', 'environment', 'externals', 'dependencies', 'tree', 'diff', 'frame'],
];

/** `loadout pack --json`, and the format `json`. */
const PACKAGE = one('Loadout package', {
  id: described(text(), 'A hash of the content.'),
  task: text(),
  role: nullable(text()),
  targets: list(path()),
  tokenBudget: count(),
  tokenCount: described(count(), 'Tokens of the text in the format that was asked for.'),
  encoding: text(),
  order: maybe(described(choice(['relevance']), 'Left out where files are sorted by path.')),
  contents: maybe(
    many('Line of the table of contents', {
      path: path(),
      form: choice(ITEM_FORMS),
      lines: text(),
      why: text(),
    }),
  ),
  instructions: maybe(described(text(), 'The text of --instructions.')),
  items: described(many('File of a package', ITEM), 'Best first.'),
  dependencies: many('A file and what it needs', { from: path(), to: text(), external: maybe(truth()) }),
  omitted: many('A file that is not in', {
    path: path(),
    reason: text(),
    combinedScore: share(),
    cost: nullable(one('Its cheapest useful form', { form: choice(ITEM_FORMS), tokens: count() })),
  }),
  environment: one('How to build and test', {
    commands: many('Command', {
      purpose: choice(['install', 'build', 'test', 'lint', 'format', 'types', 'run']),
      command: text(),
      path: path(),
    }),
  }),
  conventions: many('Rules of the repository', { path: path(), text: text(), cut: truth() }),
  externals: many('Signature of what the files use from elsewhere', {
    path: path(),
    name: text(),
    signature: text(),
    line: line(),
    language: text(),
  }),
  tree: text(),
  diff: described(text(), 'The change under review, or empty.'),
  receipts: many('Decision about a part', {
    part: choice(RECEIPT_PARTS),
    path: text(),
    form: described(nullable(choice(ITEM_FORMS)), 'Null for what is not in.'),
    tokens: count(),
    combinedScore: nullable(share()),
    why: text(),
  }),
  diagnostics: diagnostics(),
});

/** `loadout rank --json`. */
const RANKING = one('Loadout ranking', {
  task: text(),
  analysis: one('How the task was read', {
    action: nullable(choice(TASK_ACTIONS)),
    domains: list(text()),
    paths: many('File that the task names', {
      path: text(),
      kind: choice(['path', 'module', 'url']),
      manner: choice(['text', 'trace', 'import', 'list']),
      line: nullable(integer()),
      zone: zone(),
    }),
    symbols: many('Name that the task has', {
      name: text(),
      qualifiers: list(text()),
      form: choice(['backtick', 'call', 'qualified', 'compound', 'capitalized']),
      zone: zone(),
      count: count(),
    }),
    frames: many('Line of a stack trace', {
      path: text(),
      line: nullable(integer()),
      symbol: nullable(text()),
      depth: count(),
    }),
    keywords: many('Word of the task', { word: text(), weight: share() }),
  }),
  files: described(
    many('Ranked file', {
      path: path(),
      ...SCORES,
      signals: one('Scores by kind of reason', Object.fromEntries(SIGNALS.map((name) => [name, share()]))),
      spans: spans(),
      reasons: list(text()),
      symbols: list(text()),
    }),
    'Best first.',
  ),
  diagnostics: diagnostics(),
});

const PLACE: Fields = {
  path: path(),
  startLine: line(),
  endLine: line(),
  name: nullable(text()),
  likelihood: share(),
  isMentioned: truth(),
  why: text(),
};

/** `loadout brief --json`. */
const BRIEF = one('Loadout brief', {
  id: text(),
  task: text(),
  places: described(
    many('Place to change', {
      ...PLACE,
      form: choice(['body', 'location']),
      omitted: maybe(
        described(
          many('Lines', { startLine: line(), endLine: line() }),
          'Long doc comments that the code leaves out; only of a body.',
        ),
      ),
    }),
    'Likeliest first.',
  ),
  callers: many('Line that uses a place', { path: path(), line: line(), uses: text() }),
  tests: many('Test of a place', {
    path: path(),
    line: line(),
    name: nullable(text()),
    command: nullable(text()),
  }),
  gate: one('How sure the ranking is', {
    confidence: share(),
    verdict: choice(['full', 'short', 'silent']),
    reason: text(),
  }),
  text: described(text(), 'Empty when nothing matches.'),
  diagnostics: diagnostics(),
});

const EVENTS = [
  ...['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'SubagentStart'],
  ...['BeforeTool', 'BeforeAgent', 'BeforeModel'],
];

/** An answer that says which event it is for. */
const inEvent = (title: string, fields: Fields): Schema<unknown> =>
  one(title, { hookSpecificOutput: one('For the event', { hookEventName: choice(EVENTS), ...fields }) });

const DENIAL: Fields = { permissionDecision: choice(['deny']), permissionDecisionReason: text() };

/** Every form of an answer of `loadout hook`; a client takes one form of each kind. */
const HOOK_ANSWERS: readonly Schema<unknown>[] = [
  one('Nothing to add', {}),
  inEvent('Context for the model', { additionalContext: text() }),
  inEvent('A changed tool input', { updatedInput: freeObject() }),
  inEvent('A changed tool input', { tool_input: freeObject() }),
  inEvent('A refused tool', DENIAL),
  inEvent('The messages of a model call', {
    llm_request: one('Request', {
      messages: many('Message', { role: text(), content: checked({}, 'any value', () => true) }),
    }),
  }),
  one('Context for the model', { additionalContext: text() }),
  one('A changed tool input', { modifiedArgs: freeObject() }),
  one('A changed tool input', { toolInput: freeObject() }),
  one('A refused tool', DENIAL),
  one('A refused tool', { decision: choice(['deny']), reason: text() }),
];

/** The schemas of all output, by the name of their file. */
export function outputSchemas(): Readonly<Record<string, JsonSchema>> {
  const named = (file: string, schema: JsonSchema) => [file, { ...schemaHead(file), ...schema }] as const;
  return Object.fromEntries([
    named('package.schema.json', PACKAGE.jsonSchema),
    named('rank.schema.json', RANKING.jsonSchema),
    named('brief.schema.json', BRIEF.jsonSchema),
    named('hook-answer.schema.json', {
      title: 'Loadout hook answer',
      anyOf: HOOK_ANSWERS.map((answer) => jsonSchemaOf(answer)),
    }),
  ]);
}
