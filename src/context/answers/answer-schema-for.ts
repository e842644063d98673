import { checkArguments, objectWith, required, TEXT } from '../../schema/check-arguments.ts';
import { keepingExtraFields, type ObjectSchema } from '../../schema/object-schema.ts';
import type { JsonObject } from '../../schema/schema.ts';
import { genericOutput, implementationOutput, planOutput, reviewOutput } from './answer-schemas.ts';
import { parseWorkerOutput } from './parse-worker-output.ts';

/** What of a role decides about its answer. */
export interface AnsweringRole {
  readonly name: string;
  /** The root of the chain of `extends`; null for a role that extends none. */
  readonly baseRole?: string | null;
}

export type AnyAnswer = { readonly status: string };

/** By the name of the role at the root of the chain. */
const ROLE_SCHEMAS: ReadonlyMap<string, ObjectSchema<AnyAnswer>> = new Map<string, ObjectSchema<AnyAnswer>>([
  ['planner', planOutput],
  ['implementer', implementationOutput],
  ['reviewer', reviewOutput],
]);

/** An overlay answers like its base and may ask for more fields; a role of no known base answers freely. */
const ROLE_KINDS = { role: required(objectWith('a role with a name', { name: TEXT })) };

export function answerSchemaFor(role: AnsweringRole): ObjectSchema<AnyAnswer | (AnyAnswer & JsonObject)> {
  checkArguments('answerSchemaFor', { role }, ROLE_KINDS);
  const own = ROLE_SCHEMAS.get(role.name);
  if (own) return own;
  const base = role.baseRole ? ROLE_SCHEMAS.get(role.baseRole) : undefined;
  return base ? keepingExtraFields(base) : genericOutput;
}

export function parseRoleOutput(role: AnsweringRole, text: string): AnyAnswer {
  return parseWorkerOutput(text, answerSchemaFor(role));
}
