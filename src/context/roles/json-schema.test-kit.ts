import type { JsonSchema } from '../../schema/schema.ts';

type Keywords = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Keywords =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isMap,
};

const KEYWORDS: Readonly<Record<string, (rule: never, value: unknown, schema: Keywords) => boolean>> = {
  type: (rule: string, value) => TYPES[rule]!(value),
  enum: (rule: readonly unknown[], value) => rule.includes(value),
  pattern: (rule: string, value) => typeof value !== 'string' || new RegExp(rule, 'u').test(value),
  minLength: (rule: number, value) => typeof value !== 'string' || [...value].length >= rule,
  minimum: (rule: number, value) => typeof value !== 'number' || value >= rule,
  maximum: (rule: number, value) => typeof value !== 'number' || value <= rule,
  required: (rule: readonly string[], value) =>
    !isMap(value) || rule.every((name) => Object.hasOwn(value, name)),
  anyOf: (rule: readonly JsonSchema[], value) => rule.some((one) => matchesSchema(one, value)),
  items: (rule: JsonSchema, value) =>
    !Array.isArray(value) || value.every((item) => matchesSchema(rule, item)),
  properties: (rule: Keywords, value) =>
    !isMap(value) ||
    Object.entries(value).every(
      ([name, one]) => !Object.hasOwn(rule, name) || matchesSchema(rule[name] as never, one),
    ),
  additionalProperties: (rule: boolean, value, schema) => {
    if (rule || !isMap(value)) return true;
    const patterns = Object.keys((schema.patternProperties as Keywords | undefined) ?? {});
    const isKnown = (name: string) =>
      Object.hasOwn(schema.properties as Keywords, name) ||
      patterns.some((one) => new RegExp(one).test(name));
    return Object.keys(value).every(isKnown);
  },
};
const NOTES = ['$schema', '$id', 'title', 'description', 'default', 'patternProperties'];

/** As much of JSON Schema as the schema of roles uses; any other keyword is an error. */
export function matchesSchema(schema: JsonSchema, value: unknown): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    if (NOTES.includes(keyword)) return true;
    const holds = KEYWORDS[keyword];
    if (!holds) throw new Error(`the keyword ${keyword} is not known here`);
    return holds(rule as never, value, schema);
  });
}
