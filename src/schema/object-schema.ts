// Objects with named fields. Their declarations also give JSON Schemas for editors and prompts, and tables for the
// docs.

import * as z from 'zod/mini';
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  noted,
  noteOf,
  type Schema,
  type ValueOf,
} from './schema.ts';

/** Schemas by the name of their field. */
export type Fields = Readonly<Record<string, Schema<unknown>>>;

/** The TypeScript type of such an object. */
export type ObjectValue<Shape extends Fields> = { readonly [Name in keyof Shape]: ValueOf<Shape[Name]> };

/** Rules for the object as a whole. */
export interface ObjectRules {
  readonly title: string;
  /** Fields that are not declared. Refused is the default: a mistyped name must not be lost. */
  readonly extraFields?: 'refused' | 'kept';
  /** Fields that must hold the same text. */
  readonly equal?: readonly [string, string];
}

/** An object with named fields; answers, guidelines and the files of a loop are declared with it. */
export interface ObjectSchema<out Value> extends Schema<Value> {
  readonly rules: ObjectRules;
  readonly fields: Fields;
  readonly jsonSchema: JsonSchema;
}

/** Declares an object with its JSON Schema, which is written when it is first asked for. */
export function object<const Shape extends Fields>(
  rules: ObjectRules & { readonly extraFields: 'kept' },
  fields: Shape,
): ObjectSchema<ObjectValue<Shape> & JsonObject>;
export function object<const Shape extends Fields>(
  rules: ObjectRules,
  fields: Shape,
): ObjectSchema<ObjectValue<Shape>>;
export function object(rules: ObjectRules, fields: Fields): ObjectSchema<unknown> {
  const schema = fieldsOf(rules, fields);
  let written: JsonSchema | null = null;
  const jsonSchema = () => {
    written ??= jsonSchemaOf(schema);
    return written;
  };
  return Object.defineProperties(schema, {
    rules: { value: rules },
    fields: { value: fields },
    jsonSchema: { get: jsonSchema },
  }) as ObjectSchema<unknown>;
}

/** The same fields, and others are kept. */
export function keepingExtraFields<Value>(schema: ObjectSchema<Value>): ObjectSchema<Value & JsonObject> {
  return object({ ...schema.rules, extraFields: 'kept' }, schema.fields) as unknown as ObjectSchema<
    Value & JsonObject
  >;
}

/** The zod schema behind an object. */
function fieldsOf<const Shape extends Fields>(rules: ObjectRules, fields: Shape): Schema<ObjectValue<Shape>> {
  const names = Object.keys(fields);
  const shape = fields as unknown as Record<string, z.ZodMiniType>;
  // For fields that are not known, the message lists those that are.
  const error = (issue: { readonly code?: string }) =>
    issue.code === 'unrecognized_keys' ? names.join(', ') : 'an object';
  const schema =
    rules.extraFields === 'kept' ? z.looseObject(shape, { error }) : z.strictObject(shape, { error });
  const complete = rules.equal ? schema.check(sameText(...rules.equal)) : schema;
  return noted(complete as unknown as z.ZodMiniType<ObjectValue<Shape>>, {
    expected: 'an object',
    title: rules.title,
  });
}

/** Compares also when other fields are wrong: one answer to the model names every mistake. */
function sameText(left: string, right: string) {
  return z.check<Record<string, unknown>>(
    ({ value, issues }) => {
      if (!isJsonObject(value)) return;
      const [one, other] = [value[left], value[right]];
      if (typeof one !== 'string' || typeof other !== 'string' || one === other) return;
      const message = `the same as ${left}, ${JSON.stringify(one)}`;
      issues.push({ code: 'custom', path: [right], input: other, message, continue: true });
    },
    { when: () => true },
  );
}

/** The JSON Schema of a declaration, for editors, prompts and clients. */
export function jsonSchemaOf(schema: Schema<unknown>): JsonSchema {
  const { $schema: _, ...written } = z.toJSONSchema(schema as unknown as z.ZodMiniType, {
    io: 'input',
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => addNote(zodSchema as unknown as Schema<unknown>, jsonSchema),
  });
  return tidy(written) as JsonSchema;
}

/** Adds the facts of our notes that zod does not know. */
function addNote(schema: Schema<unknown>, written: Record<string, unknown>): void {
  const { title, help, whenAbsent, json } = noteOf(schema);
  if (json) {
    for (const key of Object.keys(written)) delete written[key];
    Object.assign(written, json);
  }
  if (title !== undefined) {
    written.title = title;
    const { shape } = (schema as unknown as z.ZodMiniType).def as unknown as { readonly shape: Fields };
    const isNeeded = (field: Schema<unknown>) => noteOf(field).whenAbsent?.asked ?? true;
    written.required = Object.keys(shape).filter((name) => isNeeded(shape[name]!));
    // zod writes `{}` where anything is allowed.
    written.additionalProperties = written.additionalProperties !== false;
  }
  const value = whenAbsent?.asked === false ? whenAbsent.make() : undefined;
  if (value === undefined) delete written.default;
  else written.default = value;
  if (help !== undefined) written.description = help;
}

/** Names first, rules next, notes last: the text is part of prompts, and its bytes must not depend on zod. */
const KEYS = ['title', 'type', 'enum', 'properties', 'required', 'additionalProperties'];
const LAST_KEYS = ['default', 'description'];

/**
 * Puts the keys in order. zod shortens `anyOf: [{ type: 'string' }, { type: 'null' }]` to a list of types. Agents that
 * read schemas strictly know only the long form.
 */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isJsonObject(value)) return value;
  const entries = new Map<string, unknown>(Object.entries(value));
  const isBare = [...entries.keys()].every((key) => key === 'type' || LAST_KEYS.includes(key));
  if (isBare && Array.isArray(value.type)) {
    entries.delete('type');
    entries.set(
      'anyOf',
      (value.type as readonly string[]).map((type) => ({ type })),
    );
  }
  const rank = (key: string) =>
    LAST_KEYS.includes(key)
      ? KEYS.length + 1 + LAST_KEYS.indexOf(key)
      : KEYS.includes(key)
        ? KEYS.indexOf(key)
        : KEYS.length;
  const inOrder = [...entries].sort(([left], [right]) => rank(left) - rank(right));
  return Object.fromEntries(
    inOrder.map(([key, one]) => [
      key,
      key === 'properties' ? tidyEach(one) : key === 'default' ? one : tidy(one),
    ]),
  );
}

/** The names of fields are not keywords. */
const tidyEach = (properties: unknown): unknown =>
  Object.fromEntries(Object.entries(properties as object).map(([name, one]) => [name, tidy(one)]));

/** The JSON Schema as prompts show it. */
export function schemaText(schema: ObjectSchema<unknown>): string {
  return JSON.stringify(schema.jsonSchema, null, 2);
}

/** The fields as a Markdown table, for the docs. */
export function schemaReference(schema: ObjectSchema<unknown>): string {
  const rows = Object.entries(schema.fields).map(([name, field]) => {
    const { expected, help = '' } = noteOf(field);
    return `| \`${name}\` | ${expected} | ${absence(field)} | ${help} |`;
  });
  return ['| field | value | when left out | |', '|---|---|---|---|', ...rows].join('\n');
}

/** The effect of leaving the field out, for the table. */
function absence(field: Schema<unknown>): string {
  const { whenAbsent } = noteOf(field);
  if (!whenAbsent) return 'an error';
  return `\`${JSON.stringify(whenAbsent.make())}\`${whenAbsent.asked ? ', though the prompt asks for it' : ''}`;
}

/** Where the folder `schema/` of the published package is. */
const PUBLISHED = 'https://unpkg.com/loadout/schema/';

/** The address of a file in `schema/`. */
export const schemaAddress = (file: string): string => `${PUBLISHED}${file}`;

/** The first two keys of every published schema. */
export const schemaHead = (file: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: schemaAddress(file),
});

/** Schemas of files that people write, by the name of the schema. */
export const FILE_SCHEMAS = {
  settings: 'loadout.config.schema.json',
  role: 'role.schema.json',
  guideline: 'guideline.schema.json',
  policy: 'context-policy.schema.json',
} as const;
