// The policy of a session: the caps of a recall block, declared once as schemas, and the class that applies
// them.

import type { Diagnostic } from '../../model/diagnostic.ts';
import { LoadoutError } from '../../model/loadout-error.ts';
import { type ArgumentKind, FUNCTION, objectWith } from '../../schema/check-arguments.ts';
import { FILE_SCHEMAS, jsonSchemaOf, schemaHead } from '../../schema/object-schema.ts';
import {
  checked,
  choice,
  described,
  expectedOf,
  integer,
  isAllowed,
  type JsonSchema,
  list,
  mapOf,
  nullable,
  type Schema,
  type ValueOf,
  withJson,
} from '../../schema/schema.ts';
import { matchesWildcard } from '../../schema/text-values.ts';
import { nearestName } from '../../schema/value-issues.ts';
import { isSelectorName, parseSelection, SELECTORS, type Selection } from '../selectors/selection.ts';

/** In which order results are chosen. */
const POLICY_ORDERS = ['latest_first', 'relevance'] as const;
export type PolicyOrder = (typeof POLICY_ORDERS)[number];

/** A whole number with a lower end. */
const whole = (least: number): Schema<number> => integer({ min: least }, `a whole number, ${least} or more`);
const wholeOrNull: Schema<number | null> = withJson(
  nullable(whole(1), 'a whole number, 1 or more, or null'),
  { type: ['integer', 'null'], minimum: 1 },
);

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const TOOL_JSON = { type: 'string', minLength: 1 };
const tool: Schema<string> = checked(TOOL_JSON, 'the name of a tool', isText);

const SELECTION_JSON = { type: 'string', pattern: `^\\s*(${SELECTORS.join('|')})\\s*(:.*)?$` };
/** A selector by name, with its argument. */
const selection: Schema<string> = checked(
  SELECTION_JSON,
  `one of ${SELECTORS.join(', ')}, with :argument where it takes one, such as grep:error`,
  (value) => isText(value) && isSelectorName(parseSelection(value).selector),
);

/** Everything a policy can say, once: the type, the checks, the JSON Schema and the table in the documentation. */
export const POLICY_FIELDS = {
  max_items: described(
    whole(1),
    'Maximum number of tool results in a pack; mission, state and plan do not count.',
  ),
  max_chars_per_item: described(whole(1), 'Characters of a snippet, its heading included.'),
  max_total_chars: described(
    wholeOrNull,
    'Characters of the whole pack, its header included; null when only tokens count.',
  ),
  max_total_tokens: described(wholeOrNull, 'Tokens of the whole pack; null when only characters count.'),
  include_latest_tool_previews_n: described(whole(0), 'Maximum number of tool results in a pack.'),
  order: described(
    withJson(choice(POLICY_ORDERS, POLICY_ORDERS.join(' or ')), { enum: POLICY_ORDERS }),
    'Which tool results come first: the latest, or those that match the mission and the step best.',
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
    'Selectors for single tools, by name of the tool.',
  ),
};

/** A policy as data, under the names that files use. */
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
    ...schemaHead(FILE_SCHEMAS.policy),
    title: 'Loadout context policy',
    type: 'object',
    properties: {
      context_policy: {
        description: 'Limits of the text that is brought back before a model call.',
        type: 'object',
        properties: Object.fromEntries(properties),
        additionalProperties: false,
      },
    },
  };
}

/** Hard caps on the text that may be brought back. A policy cannot be changed, only replaced. */
export class ContextPolicy {
  /** Results in a block. */
  readonly maxItems: number;
  /** Of one snippet, its heading included. */
  readonly maxCharsPerItem: number;
  readonly maxTotalChars: number | null;
  readonly maxTotalTokens: number | null;
  /** Results that are chosen, requested ones included. */
  readonly includeLatestToolPreviewsN: number;
  readonly order: PolicyOrder;
  readonly allowTools: readonly string[] | null;
  readonly allowSelectors: readonly string[] | null;
  /** Values that contradicted each other and were adjusted. */
  readonly notices: readonly Diagnostic[];
  readonly #dict: PolicyDict;

  /**
   * Missing fields come from the conservative default; a value that is not allowed is an error that names its
   * field; caps that contradict each other are adjusted, and `notices` says so.
   */
  constructor(data: unknown = {}) {
    const { dict, notices } = adjust(checkPolicyDict(data));
    this.maxItems = dict.max_items;
    this.maxCharsPerItem = dict.max_chars_per_item;
    this.maxTotalChars = dict.max_total_chars;
    this.maxTotalTokens = dict.max_total_tokens;
    this.includeLatestToolPreviewsN = dict.include_latest_tool_previews_n;
    this.order = dict.order;
    this.allowTools = dict.allow_tools;
    this.allowSelectors = dict.allow_selectors;
    this.notices = notices;
    this.#dict = dict;
  }

  /** The policy without any configuration: a small budget. */
  static conservativeDefault(): ContextPolicy {
    return new ContextPolicy();
  }

  /**
   * The same as the constructor, under the name that goes with `toDict`.
   *
   * @example
   * const policy = ContextPolicy.fromDict({ max_items: 10, max_total_chars: 4000, allow_tools: ['read_file'] });
   */
  static fromDict(data: unknown): ContextPolicy {
    return new ContextPolicy(data);
  }

  /** All fields, adjusted: `fromDict` of it is the same policy. */
  toDict(): PolicyDict {
    return structuredClone(this.#dict);
  }

  /** Whether results of a tool may come back. */
  isToolAllowed(tool: string): boolean {
    return this.allowTools === null || this.allowTools.some((pattern) => matchesWildcard(pattern, tool));
  }

  /** Whether a selector may be used, also as a fallback. */
  isSelectorAllowed(selector: string): boolean {
    return this.allowSelectors === null || this.allowSelectors.includes(selector);
  }

  /** The part of a tool's results that comes back by default. */
  selectionFor(tool: string): Selection {
    const { tool_selectors, default_selector } = this.#dict;
    return parseSelection(Object.hasOwn(tool_selectors, tool) ? tool_selectors[tool]! : default_selector);
  }
}

/** The fields that are set, each checked. */
export function checkPolicyDict(data: unknown): Partial<PolicyDict> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw badPolicy('context_policy', data, 'a map of fields');
  }
  for (const [name, value] of Object.entries(data)) {
    if (!Object.hasOwn(POLICY_FIELDS, name)) {
      const near = nearestName(name, Object.keys(POLICY_FIELDS));
      throw new LoadoutError('bad-policy', `context_policy.${name}: this field is not known`, {
        subject: name,
        hint: near === null ? `known are ${Object.keys(POLICY_FIELDS).join(', ')}` : `did you mean ${near}?`,
      });
    }
    const field: Schema<unknown> = POLICY_FIELDS[name as keyof PolicyDict];
    if (!isAllowed(field, value)) throw badPolicy(name, value, expectedOf(field));
  }
  return structuredClone(data) as Partial<PolicyDict>;
}

/** The error for a value that is not allowed. */
function badPolicy(name: string, value: unknown, allowed: string): LoadoutError {
  const field = name === 'context_policy' ? name : `context_policy.${name}`;
  const shown = (JSON.stringify(value) ?? String(value)).slice(0, 200);
  return new LoadoutError('bad-policy', `${field}: ${shown} is not allowed; allowed is ${allowed}`, {
    subject: name,
  });
}

/** Fills in defaults and makes caps agree. Only a value that the caller has set gives a notice. */
function adjust(given: Partial<PolicyDict>): { dict: PolicyDict; notices: Diagnostic[] } {
  const notices: Diagnostic[] = [];
  const notice = (name: keyof PolicyDict, from: unknown, to: unknown, why: string) =>
    notices.push({
      code: 'policy-adjusted',
      severity: 'warning',
      message: `context_policy.${name}: ${from} became ${to}, ${why}`,
    });
  // a budget in tokens takes the place of the default in characters, not of one that was asked for
  const byTokens = typeof given.max_total_tokens === 'number' && given.max_total_chars === undefined;
  const dict = { ...CONSERVATIVE, ...(byTokens ? { max_total_chars: null } : {}), ...given };
  const isSet = (name: keyof PolicyDict) => given[name] !== undefined;
  if (dict.max_total_chars === null && dict.max_total_tokens === null) {
    dict.max_total_chars = CONSERVATIVE.max_total_chars;
    notice(
      'max_total_chars',
      null,
      dict.max_total_chars,
      'because a pack needs a limit in characters or in tokens',
    );
  }
  if (dict.max_total_chars !== null && dict.max_chars_per_item > dict.max_total_chars) {
    const why = `the value of max_total_chars`;
    if (isSet('max_chars_per_item'))
      notice('max_chars_per_item', dict.max_chars_per_item, dict.max_total_chars, why);
    dict.max_chars_per_item = dict.max_total_chars;
  }
  if (dict.include_latest_tool_previews_n > dict.max_items) {
    const [from, to] = [dict.include_latest_tool_previews_n, dict.max_items];
    if (isSet('include_latest_tool_previews_n'))
      notice('include_latest_tool_previews_n', from, to, 'the value of max_items');
    dict.include_latest_tool_previews_n = to;
  }
  const { selector } = parseSelection(dict.default_selector);
  if (dict.allow_selectors !== null && !dict.allow_selectors.includes(selector)) {
    const first = dict.allow_selectors[0];
    if (first !== undefined && (isSet('default_selector') || selector !== first)) {
      if (isSet('default_selector'))
        notice('default_selector', dict.default_selector, first, 'the first of allow_selectors');
      dict.default_selector = first;
    }
  }
  return { dict, notices };
}

/** By what it can do: a program may have two copies of this package. */
export const POLICY: ArgumentKind = objectWith(
  'a ContextPolicy such as ContextPolicy.fromDict({ max_items: 10 })',
  {
    isToolAllowed: FUNCTION,
    selectionFor: FUNCTION,
  },
);
