import type { JsonSchema } from '../../schema/schema.ts';
import { guidelineSchema } from './guideline-schema.ts';

/** JSON Schema of guideline files, for editors and other programs: one guideline, or a list of them. */
export function guidelineJsonSchema(): JsonSchema {
  const reference = { $ref: '#/$defs/guideline' };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Loadout guideline file',
    anyOf: [
      reference,
      {
        type: 'object',
        properties: { guidelines: { type: 'array', items: reference } },
        required: ['guidelines'],
        additionalProperties: false,
      },
    ],
    $defs: { guideline: guidelineSchema.jsonSchema },
  };
}
