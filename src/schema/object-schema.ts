import * as z from 'zod/mini';
import { jsonSchemaOf } from './json-schema.ts';
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  noted,
  type Schema,
  type ValueOf,
} from './schema.ts';

export type Fields = Readonly<Record<string, Schema<unknown>>>;

export type ObjectValue<Shape extends Fields> = { readonly [Name in keyof Shape]: ValueOf<Shape[Name]> };

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
