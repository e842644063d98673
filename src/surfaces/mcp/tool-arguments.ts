import { LoadoutError } from '../../model/loadout-error.ts';
import type { PropertySchema, ToolDeclaration } from './tool-list.ts';

export type ToolArguments = Readonly<Record<string, string | number | readonly string[]>>;

function refuse(name: string, message: string): LoadoutError {
  return new LoadoutError('bad-arguments', `${name}: ${message}`, { subject: name });
}

function unknownArgument(name: string, known: readonly string[]): LoadoutError {
  const message = `unknown argument ${JSON.stringify(name.slice(0, 80))}; expected ${known.join(', ')}`;
  return new LoadoutError('bad-arguments', message, { subject: name });
}

/** What a client sent for a tool, checked against the schema that it was shown. */
export function readToolArguments({ inputSchema }: ToolDeclaration, given: unknown): ToolArguments {
  const { properties, required } = inputSchema;
  if (given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given)))
    throw refuse('arguments', 'must be an object');
  const entries = Object.entries(given ?? {}).filter(([, value]) => value !== undefined && value !== null);
  for (const [name, value] of entries) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!schema) throw unknownArgument(name, Object.keys(properties));
    const problem = problemOf(schema, value);
    if (problem) throw refuse(name, problem);
  }
  const present = new Map(entries);
  for (const name of required) if (!present.has(name)) throw refuse(name, 'is missing');
  return Object.fromEntries(present) as ToolArguments;
}

function problemOf(schema: PropertySchema, value: unknown): string | null {
  switch (schema.type) {
    case 'string':
      return textProblem(value, schema.maxLength);
    case 'integer': {
      const { minimum, maximum } = schema;
      const isInside = Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
      return isInside ? null : `must be a whole number from ${minimum} to ${maximum}`;
    }
    case 'array': {
      if (!Array.isArray(value) || value.length > schema.maxItems)
        return `must be a list of at most ${schema.maxItems} texts`;
      return value.map((one) => textProblem(one, schema.items.maxLength)).find(Boolean) ?? null;
    }
  }
}

function textProblem(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value.trim() === '') return 'must not be empty';
  return value.length > maxLength ? `must have at most ${maxLength} characters` : null;
}
