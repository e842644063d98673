import { describe, expect, it } from 'vitest';
import {
  genericOutput,
  implementationOutput,
  planOutput,
  reviewOutput,
} from '../context/answers/answer-schemas.ts';
import type { JsonSchemaObject } from './agent-worker.ts';
import { codex, isStrictSchema, strictSchema } from './codex.ts';

const schemaOf = (schema: { readonly jsonSchema: unknown }) => schema.jsonSchema as JsonSchemaObject;

describe('strictSchema', () => {
  it.each([
    ['implementation', implementationOutput],
    ['review', reviewOutput],
  ])('makes every object of the %s answer closed and complete', (_name, schema) => {
    const strict = strictSchema(schemaOf(schema))!;
    const objects: JsonSchemaObject[] = [];
    JSON.stringify(strict, (key, value) => {
      expect(key).not.toBe('default');
      if (value?.type === 'object') objects.push(value);
      return value;
    });
    expect(objects.length).toBeGreaterThan(0);
    for (const object of objects) {
      expect(object.additionalProperties).toBe(false);
      expect(object.required).toEqual(Object.keys(object.properties as object));
    }
    expect(isStrictSchema(strict)).toBe(true);
    expect(isStrictSchema(schemaOf(schema))).toBe(false);
  });

  it.each([
    ['plan, whose phases are open objects', planOutput],
    ['generic answer, which may hold anything', genericOutput],
  ])('does not exist for the %s', (_name, schema) => {
    expect(strictSchema(schemaOf(schema))).toBeNull();
  });

  it('takes a property that is called default, and words that are data', () => {
    const property = { type: 'string', enum: ['object'] };
    const schema = { type: 'object', properties: { default: property }, required: ['default'] };
    expect(strictSchema(schema)).toEqual({ ...schema, additionalProperties: false });
  });
});

describe('codex', () => {
  it('gets the schema file only in the form that its service takes', () => {
    const start = (schema: JsonSchemaObject) =>
      codex.worker.start({
        cwd: '/repo',
        permissions: 'read-only',
        model: null,
        flags: [],
        schema,
        schemaFile: '/schema.json',
        resume: null,
      }).args;
    const schema = schemaOf(implementationOutput);
    expect(start(schema)).not.toContain('/schema.json');
    expect(start(strictSchema(schema)!)).toContain('/schema.json');
  });
});
