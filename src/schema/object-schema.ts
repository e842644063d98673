import { describeValue, quoted } from './describe-value.ts';
import { nearestName } from './nearest-name.ts';
import type { JsonObject, JsonValue, ReportIssue, Schema, ValueOf, ValuePath } from './schema.ts';
import { isJsonObject } from './value-schemas.ts';

const MAX_SUGGESTIONS = 20;

type Fields = Readonly<Record<string, Schema<unknown>>>;

export type ObjectValue<Shape extends Fields> = { readonly [Name in keyof Shape]: ValueOf<Shape[Name]> };

export interface ObjectSchema<Value> extends Schema<Value> {
  readonly rules: ObjectRules;
  readonly fields: Fields;
}

export interface ObjectRules {
  readonly title: string;
  /** Fields that are not declared. Refused is the default: a mistyped name must not be lost. */
  readonly extraFields?: 'refused' | 'kept';
  /** Fields that must hold the same value. */
  readonly equal?: readonly [string, string];
}

export function object<const Shape extends Fields>(
  rules: ObjectRules & { readonly extraFields: 'kept' },
  fields: Shape,
): ObjectSchema<ObjectValue<Shape> & JsonObject>;
export function object<const Shape extends Fields>(
  rules: ObjectRules,
  fields: Shape,
): ObjectSchema<ObjectValue<Shape>>;
export function object(rules: ObjectRules, fields: Fields): ObjectSchema<unknown> {
  const extraFields = rules.extraFields ?? 'refused';
  const entries = Object.entries(fields);
  return {
    rules,
    fields,
    expected: 'an object',
    jsonSchema: {
      title: rules.title,
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.jsonSchema])),
      required: entries.filter(([, field]) => field.whenAbsent?.asked ?? true).map(([name]) => name),
      additionalProperties: extraFields === 'kept',
    },
    read: (value, path, report) => {
      if (!isJsonObject(value)) {
        report({ path, expected: 'an object', received: describeValue(value) });
        return {};
      }
      const result = readFields(fields, value, path, report);
      const extra = Object.keys(value).filter((name) => !Object.hasOwn(fields, name));
      if (extraFields === 'kept') for (const name of extra) result.set(name, value[name]);
      else refuseFields(extra, Object.keys(fields), path, report);
      if (rules.equal) checkEqual(rules.equal, value, path, report);
      // Defines each name as its own, whatever it is called.
      return Object.fromEntries(result);
    },
  };
}

/** The same fields, and others are kept. */
export function keepingExtraFields<Value>(schema: ObjectSchema<Value>): ObjectSchema<Value & JsonObject> {
  return object({ ...schema.rules, extraFields: 'kept' }, schema.fields) as ObjectSchema<Value & JsonObject>;
}

function readFields(
  fields: Fields,
  value: JsonObject,
  path: ValuePath,
  report: ReportIssue,
): Map<string, unknown> {
  const result = new Map<string, unknown>();
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    if (given !== undefined) result.set(name, field.read(given, [...path, name], report));
    else if (field.whenAbsent) result.set(name, field.whenAbsent.make());
    else
      report({ path: [...path, name], expected: field.expected, received: 'nothing: the field is missing' });
  }
  return result;
}

/** The nearest name is looked for a few times only: an answer may have any number of fields. */
function refuseFields(
  extra: readonly string[],
  known: readonly string[],
  path: ValuePath,
  report: ReportIssue,
): void {
  const received = `a field that is not one of ${known.join(', ')}`;
  for (const [index, name] of extra.entries()) {
    const near = index < MAX_SUGGESTIONS ? nearestName(name, known) : null;
    const meant = near ? ` (did you mean ${JSON.stringify(near)}?)` : '';
    report({ path: [...path, name], expected: `no field of this name${meant}`, received });
  }
}

function checkEqual(
  [left, right]: readonly [string, string],
  value: JsonObject,
  path: ValuePath,
  report: ReportIssue,
): void {
  const [one, other] = [value[left], value[right]] as readonly (JsonValue | undefined)[];
  if (typeof one !== 'string' || typeof other !== 'string' || one === other) return;
  report({
    path: [...path, right],
    expected: `the same as ${left}, ${quoted(one)}`,
    received: quoted(other),
  });
}
