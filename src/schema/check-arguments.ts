// Checks the arguments of library functions.

import * as z from 'zod/mini';
import { LoadoutError } from '../model/loadout-error.ts';
import {
  checked,
  choice,
  expectedOf,
  freeObject,
  integer,
  isAllowed,
  isJsonObject,
  list,
  maybe,
  noted,
  nullable,
  type Schema,
  text,
  truth,
} from './schema.ts';
import { describeValue, nearestName } from './value-issues.ts';

/**
 * One sort of argument of the library: a schema whose `expected` completes "must be ...". An argument may be left out
 * unless its kind went through `required`.
 */
export type ArgumentKind = Schema<unknown>;

/** A kind for each argument of a function, or for each field of a request. */
export type ArgumentKinds<Request> = { readonly [Name in keyof Required<Request>]: ArgumentKind };

const REQUIRED = new WeakSet<ArgumentKind>();

/**
 * Checks the arguments of a function of the library. Callers without types would otherwise see an error from deep
 * inside, or lose a field that they spelled wrong. Throws a `bad-argument` error for the first problem.
 */
export function checkArguments(
  of: string,
  given: unknown,
  kinds: Readonly<Record<string, ArgumentKind>>,
  /** `kept` where callers may pass a larger object of their own. */
  otherFields: 'refused' | 'kept' = 'refused',
): void {
  if (!isJsonObject(given))
    throw refuse(of, 'options', `options must be an object, not ${describeValue(given)}`);
  const names = Object.keys(kinds);
  for (const name of otherFields === 'kept' ? [] : Object.keys(given)) {
    if (Object.hasOwn(kinds, name)) continue;
    const near = nearestName(name, names);
    const known = near ? `did you mean ${near}?` : `allowed are ${names.join(', ')}`;
    throw refuse(of, name, `there is no option ${JSON.stringify(name.slice(0, 80))}; ${known}`);
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const value: unknown = given[name];
    if (value === undefined) {
      if (REQUIRED.has(kind)) throw refuse(of, name, `${name} is missing; it must be ${expectedOf(kind)}`);
    } else if (!isAllowed(kind, value))
      throw refuse(of, name, `${name} must be ${expectedOf(kind)}, not ${describeValue(value)}`);
  }
}

function refuse(of: string, subject: string, message: string): LoadoutError {
  return new LoadoutError('bad-argument', `${of}: ${message}`, { subject });
}

/** The same kind for an argument that must be given. */
export function required(kind: ArgumentKind): ArgumentKind {
  const copy = argument(expectedOf(kind), (value) => isAllowed(kind, value));
  REQUIRED.add(copy);
  return copy;
}

/** A kind with a check of its own. Arguments have no JSON Schema: many of them are functions and objects. */
export function argument(allowed: string, accepts: (value: unknown) => boolean): ArgumentKind {
  return checked({}, allowed, accepts);
}

/** The values of several kinds, such as a path or an opened file. */
export function either(allowed: string, ...kinds: readonly ArgumentKind[]): ArgumentKind {
  return argument(allowed, (value) => kinds.some((kind) => isAllowed(kind, value)));
}

/** A field of `objectWith` that may be missing. */
export const ifGiven: (kind: ArgumentKind) => ArgumentKind = maybe;

export const orNull = (kind: ArgumentKind): ArgumentKind => nullable(kind);

export function oneOf(values: readonly string[]): ArgumentKind {
  return choice(values, `one of ${values.join(', ')}`);
}

/** Both ends are allowed values. */
export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): ArgumentKind {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
  return integer({ min, max }, `a whole number, ${range}`);
}

export function listOf(kind: ArgumentKind, what: string): ArgumentKind {
  return list(kind, `a list of ${what}, each ${expectedOf(kind)}`);
}

/** An object with text keys whose values are all of one kind. */
export function mapWith(allowed: string, kind: ArgumentKind): ArgumentKind {
  return argument(
    allowed,
    (value) => isJsonObject(value) && Object.values(value).every((one) => isAllowed(kind, one)),
  );
}

/**
 * An object with at least these fields, such as a role or a schema. Only they are read: other properties may be getters
 * of a class.
 */
export function objectWith(allowed: string, fields: Readonly<Record<string, ArgumentKind>>): ArgumentKind {
  const shape = fields as unknown as Record<string, z.ZodMiniType>;
  return noted(z.object(shape, { error: allowed }), { expected: allowed });
}

export const TEXT: ArgumentKind = text();
export const TEXTS: ArgumentKind = list(text(), 'a list of texts');
export const FLAG: ArgumentKind = truth();
export const FUNCTION: ArgumentKind = argument('a function', (value) => typeof value === 'function');
export const RECORD: ArgumentKind = freeObject();
export const SIGNAL: ArgumentKind = argument('an AbortSignal', (value) => value instanceof AbortSignal);
/** A schema of Loadout, recognised by its fields: a program may use two copies of the package. */
export const SCHEMA: ArgumentKind = required(
  objectWith('a schema such as genericOutput', { _zod: RECORD, rules: RECORD }),
);
/** The schema of a setting reads the text; here it need only be one. */
export const AMOUNT: ArgumentKind = argument(
  'a number or a text such as "30k"',
  (value) => typeof value === 'number' || typeof value === 'string',
);
