import { jsonSchemaOf } from '../../schema/json-schema.ts';
import {
  checked,
  choice,
  described,
  expectedOf,
  integer,
  type JsonSchema,
  list,
  mapOf,
  nullable,
  type Schema,
  type ValueOf,
  withJson,
} from '../../schema/schema.ts';
import { isSelectorName, parseSelection, SELECTORS } from '../selectors/selection.ts';

const POLICY_ORDERS = ['latest_first', 'relevance'] as const;
export type PolicyOrder = (typeof POLICY_ORDERS)[number];

const whole = (least: number): Schema<number> => integer({ min: least }, `a whole number, ${least} or more`);
const wholeOrNull: Schema<number | null> = withJson(
  nullable(whole(1), 'a whole number, 1 or more, or null'),
  { type: ['integer', 'null'], minimum: 1 },
);

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const TOOL_JSON = { type: 'string', minLength: 1 };
const tool: Schema<string> = checked(TOOL_JSON, 'the name of a tool', isText);

const SELECTION_JSON = { type: 'string', pattern: `^\\s*(${SELECTORS.join('|')})\\s*(:.*)?$` };
const selection: Schema<string> = checked(
  SELECTION_JSON,
  `one of ${SELECTORS.join(', ')}, with :argument where it takes one, such as grep:error`,
  (value) => isText(value) && isSelectorName(parseSelection(value).selector),
);

/** Everything a policy can say, once: the type, the checks, the JSON Schema and the table in the documentation. */
export const POLICY_FIELDS = {
  max_items: described(whole(1), 'Tool results in a pack at most; mission, state and plan do not count.'),
  max_chars_per_item: described(whole(1), 'Characters of a snippet, its heading included.'),
  max_total_chars: described(
    wholeOrNull,
    'Characters of the whole pack, its header included; null when only tokens count.',
  ),
  max_total_tokens: described(wholeOrNull, 'Tokens of the whole pack; null when only characters count.'),
  include_latest_tool_previews_n: described(whole(0), 'Tool results in a pack at most.'),
  order: described(
    withJson(choice(POLICY_ORDERS, POLICY_ORDERS.join(' or ')), { enum: POLICY_ORDERS }),
    'Which tool results come first: the latest, or those that answer best to mission and step.',
  ),
  allow_tools: described(
    withJson(nullable(list(tool), 'a list of tool names, or null'), {
      type: ['array', 'null'],
      items: TOOL_JSON,
    }),
    'Tools whose results may come back; `*` in a name stands for any characters; null means all.',
  ),
  allow_selectors: described(
    withJson(nullable(list(choice<string>(SELECTORS)), `a list of ${SELECTORS.join(', ')}, or null`), {
      type: ['array', 'null'],
      items: { enum: SELECTORS },
    }),
    'Selectors that may be used; null means all.',
  ),
  default_selector: described(selection, 'Which part of a result comes back.'),
  tool_selectors: described(
    mapOf(selection, SELECTION_JSON, `a map from tool names to ${expectedOf(selection)}`),
    'The same for single tools, by name.',
  ),
};

/** What a policy says, under the names that files use. */
export type PolicyDict = {
  readonly [Name in keyof typeof POLICY_FIELDS]: ValueOf<(typeof POLICY_FIELDS)[Name]>;
};

/** The defaults. Small on purpose: a policy without configuration must not fill a window. */
export const CONSERVATIVE: PolicyDict = {
  max_items: 8,
  max_chars_per_item: 600,
  max_total_chars: 3_000,
  max_total_tokens: null,
  include_latest_tool_previews_n: 5,
  order: 'latest_first',
  allow_tools: null,
  allow_selectors: null,
  default_selector: 'first_chars',
  tool_selectors: {},
};

/** JSON Schema of the section `context_policy`, for editors. */
export function contextPolicySchema(): JsonSchema {
  const properties = Object.entries(POLICY_FIELDS).map(([name, field]) => [
    name,
    { ...jsonSchemaOf(field), default: CONSERVATIVE[name as keyof PolicyDict] },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Loadout context policy',
    type: 'object',
    properties: {
      context_policy: {
        description: 'What may be brought back before a model call.',
        type: 'object',
        properties: Object.fromEntries(properties),
        additionalProperties: false,
      },
    },
  };
}
