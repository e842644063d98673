import { describeValue } from './describe-value.ts';
import type { JsonObject, JsonValue, Schema } from './schema.ts';

export function text(): Schema<string> {
  return check({ type: 'string' }, 'a text', (value) => typeof value === 'string');
}

export function integer(): Schema<number> {
  return check({ type: 'integer' }, 'a whole number', (value) => Number.isSafeInteger(value));
}

export function choice<const Choice extends string>(choices: readonly Choice[]): Schema<Choice> {
  const expected = `one of ${choices.map((one) => JSON.stringify(one)).join(', ')}`;
  return check({ type: 'string', enum: choices }, expected, (value) => choices.some((one) => one === value));
}

/** An object with fields of the author's choosing. */
export function freeObject(): Schema<JsonObject> {
  return check({ type: 'object' }, 'an object', isJsonObject);
}

export function list<Item>(item: Schema<Item>): Schema<readonly Item[]> {
  return {
    jsonSchema: { type: 'array', items: item.jsonSchema },
    expected: `a list, each ${item.expected}`,
    read: (value, path, report) => {
      if (Array.isArray(value)) return value.map((one, index) => item.read(one, [...path, index], report));
      report({ path, expected: 'a list', received: describeValue(value) });
      return [];
    },
  };
}

export function nullable<Value>(inner: Schema<Value>): Schema<Value | null> {
  return {
    jsonSchema: { anyOf: [inner.jsonSchema, { type: 'null' }] },
    expected: `${inner.expected} or null`,
    read: (value, path, report) =>
      value === null
        ? null
        : inner.read(value, path, (issue) =>
            report(issue.path === path ? { ...issue, expected: `${issue.expected} or null` } : issue),
          ),
  };
}

/** The field may be left out. */
export function optional<Value>(inner: Schema<Value>, make: () => Value): Schema<Value> {
  return {
    ...inner,
    jsonSchema: { ...inner.jsonSchema, default: make() },
    whenAbsent: { make, asked: false },
  };
}

/** The model is told to give the field; an answer without it still counts. */
export function asked<Value>(inner: Schema<Value>, make: () => Value): Schema<Value> {
  return { ...inner, whenAbsent: { make, asked: true } };
}

export function described<Value>(inner: Schema<Value>, help: string): Schema<Value> {
  return { ...inner, help, jsonSchema: { ...inner.jsonSchema, description: help } };
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function check<Value extends JsonValue>(
  jsonSchema: Schema<Value>['jsonSchema'],
  expected: string,
  accepts: (value: JsonValue) => boolean,
): Schema<Value> {
  return {
    jsonSchema,
    expected,
    read: (value, path, report) => {
      if (!accepts(value)) report({ path, expected, received: describeValue(value) });
      return value as Value;
    },
  };
}
