import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  genericOutput,
  implementationOutput,
  planOutput,
  reviewIssue,
  reviewOutput,
} from '../context/answers/answer-schemas.ts';
import { schemaReference, schemaText } from './object-schema.ts';

const schemas = [planOutput, implementationOutput, reviewOutput, reviewIssue, genericOutput];

describe('one definition', () => {
  it.each(schemas.map((schema) => [schema.rules.title, schema] as const))(
    '%s: the docs say what it says',
    (_, schema) => {
      const page = readFileSync(new URL('../../docs/reference/answers.md', import.meta.url), 'utf8');
      expect(page).toContain(`\n${schemaReference(schema)}\n`);
    },
  );

  it('the JSON Schema has required fields, allowed values and defaults', () => {
    expect(JSON.parse(schemaText(implementationOutput))).toMatchObject({
      title: 'ImplementationOutput',
      type: 'object',
      required: ['status', 'action_taken', 'next_step'],
      additionalProperties: false,
      properties: {
        status: { enum: ['SUCCESS', 'PARTIAL', 'FAILED', 'BLOCKED'] },
        files_created: { type: 'array', items: { type: 'string' }, default: [] },
        next_step: { anyOf: [{ type: 'string' }, { type: 'null' }] },
      },
    });
    expect(genericOutput.jsonSchema).toMatchObject({ required: [], additionalProperties: true });
  });

  it('the text for a prompt cannot close its fence', () => {
    for (const schema of schemas) expect(schemaText(schema)).not.toContain('`');
  });
});
