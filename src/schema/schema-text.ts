import type { ObjectSchema } from './object-schema.ts';
import type { Schema } from './schema.ts';

/** The JSON Schema as it stands in a prompt. */
export function schemaText(schema: ObjectSchema<unknown>): string {
  return JSON.stringify(schema.jsonSchema, null, 2);
}

/** The fields as a Markdown table, for the docs. */
export function schemaReference(schema: ObjectSchema<unknown>): string {
  const rows = Object.entries(schema.fields).map(
    ([name, field]) => `| \`${name}\` | ${field.expected} | ${absence(field)} | ${field.help ?? ''} |`,
  );
  return ['| field | value | when left out | |', '|---|---|---|---|', ...rows].join('\n');
}

function absence({ whenAbsent }: Schema<unknown>): string {
  if (!whenAbsent) return 'an error';
  return `\`${JSON.stringify(whenAbsent.make())}\`${whenAbsent.asked ? ', though the prompt asks for it' : ''}`;
}
