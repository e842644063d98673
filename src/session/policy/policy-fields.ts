import type { JsonSchema } from '../../schema/schema.ts';
import { isSelectorName, parseSelection, SELECTORS } from '../selectors/selection.ts';

/** What a policy says, under the names that files use. */
export interface PolicyDict {
  readonly max_items: number;
  readonly max_chars_per_item: number;
  /** Null: only tokens count. */
  readonly max_total_chars: number | null;
  readonly max_total_tokens: number | null;
  readonly include_latest_tool_previews_n: number;
  readonly order: PolicyOrder;
  /** Null: all. A `*` in a name stands for any characters. */
  readonly allow_tools: readonly string[] | null;
  readonly allow_selectors: readonly string[] | null;
  readonly default_selector: string;
  readonly tool_selectors: Readonly<Record<string, string>>;
}

const POLICY_ORDERS = ['latest_first', 'relevance'] as const;
export type PolicyOrder = (typeof POLICY_ORDERS)[number];

export interface PolicyField {
  readonly help: string;
  /** Completes the sentence "allowed is ...". */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  readonly schema: JsonSchema;
}

const whole = (least: number, help: string, orNull = false): PolicyField => ({
  help,
  allowed: `a whole number, ${least} or more${orNull ? ', or null' : ''}`,
  accepts: (value) =>
    (orNull && value === null) || (Number.isSafeInteger(value) && (value as number) >= least),
  schema: { type: orNull ? ['integer', 'null'] : 'integer', minimum: least },
});

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const isList = (value: unknown, accepts: (item: unknown) => boolean) =>
  value === null || (Array.isArray(value) && value.every(accepts));
const isSelection = (value: unknown) => isText(value) && isSelectorName(parseSelection(value).selector);
const SELECTION = `one of ${SELECTORS.join(', ')}, with :argument where it takes one, such as grep:error`;
const SELECTION_PATTERN = `^\\s*(${SELECTORS.join('|')})\\s*(:.*)?$`;

/** Everything a policy can say, once: the checks, the JSON Schema and the table in the documentation come from here. */
export const POLICY_FIELDS: Readonly<Record<keyof PolicyDict, PolicyField>> = {
  max_items: whole(1, 'Tool results in a pack at most; mission, state and plan do not count.'),
  max_chars_per_item: whole(1, 'Characters of a snippet, its heading included.'),
  max_total_chars: whole(
    1,
    'Characters of the whole pack, its header included; null when only tokens count.',
    true,
  ),
  max_total_tokens: whole(1, 'Tokens of the whole pack; null when only characters count.', true),
  include_latest_tool_previews_n: whole(0, 'Tool results in a pack at most.'),
  order: {
    help: 'Which tool results come first: the latest, or those that answer best to mission and step.',
    allowed: POLICY_ORDERS.join(' or '),
    accepts: (value) => (POLICY_ORDERS as readonly unknown[]).includes(value),
    schema: { enum: POLICY_ORDERS },
  },
  allow_tools: {
    help: 'Tools whose results may come back; `*` in a name stands for any characters; null means all.',
    allowed: 'a list of tool names, or null',
    accepts: (value) => isList(value, isText),
    schema: { type: ['array', 'null'], items: { type: 'string', minLength: 1 } },
  },
  allow_selectors: {
    help: 'Selectors that may be used; null means all.',
    allowed: `a list of ${SELECTORS.join(', ')}, or null`,
    accepts: (value) => isList(value, (item) => isText(item) && isSelectorName(item)),
    schema: { type: ['array', 'null'], items: { enum: SELECTORS } },
  },
  default_selector: {
    help: 'Which part of a result comes back.',
    allowed: SELECTION,
    accepts: isSelection,
    schema: { type: 'string', pattern: SELECTION_PATTERN },
  },
  tool_selectors: {
    help: 'The same for single tools, by name.',
    allowed: `a map from tool names to ${SELECTION}`,
    accepts: (value) =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.values(value).every(isSelection),
    schema: { type: 'object', additionalProperties: { type: 'string', pattern: SELECTION_PATTERN } },
  },
};

/** Small on purpose: what nobody configured must not fill a window. */
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
  const properties = Object.entries(POLICY_FIELDS).map(([name, { help, schema }]) => [
    name,
    { description: help, ...schema, default: CONSERVATIVE[name as keyof PolicyDict] },
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
