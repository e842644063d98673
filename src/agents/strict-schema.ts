import type { JsonSchemaObject } from './agent-worker.ts';
import { isRecord, record } from './json-events.ts';

/**
 * The schema in the form that OpenAI's structured output takes and refuses all others with a 400: every property is
 * required, nothing else is allowed, no defaults. Null when that form would leave out what the answer may hold.
 */
export function strictSchema(schema: JsonSchemaObject): JsonSchemaObject | null {
  // An open object at the top is where the answer says things that nobody declared.
  if (schema.additionalProperties === true) return null;
  try {
    return strict(schema) as JsonSchemaObject;
  } catch (error) {
    if (error instanceof NotExpressible) return null;
    throw error;
  }
}

export function isStrictSchema(schema: JsonSchemaObject): boolean {
  return JSON.stringify(strictSchema(schema)) === JSON.stringify(schema);
}

class NotExpressible extends Error {}

function strict(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(strict);
  if (!isRecord(node)) return node;
  const { default: _default, ...rest } = node;
  if (node.type !== 'object') return strictParts(rest);
  const properties = record(node.properties);
  const names = Object.keys(properties);
  if (names.length === 0) throw new NotExpressible();
  return {
    ...rest,
    properties: Object.fromEntries(names.map((name) => [name, strict(properties[name])])),
    required: names,
    additionalProperties: false,
  };
}

/** Schemas stand below these words; what stands below others, such as `enum`, is data. */
function strictParts(node: JsonSchemaObject): JsonSchemaObject {
  const parts = ['items', 'anyOf'].filter((word) => word in node);
  return { ...node, ...Object.fromEntries(parts.map((word) => [word, strict(node[word])])) };
}
