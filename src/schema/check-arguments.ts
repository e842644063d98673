import { LoadoutError } from '../model/loadout-error.ts';
import { describeValue, nearestName } from './value-issues.ts';

/** One sort of argument of the library. */
export interface ArgumentKind {
  /** Completes "must be ...". */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  readonly isRequired?: boolean;
}

/** A kind for each argument of a function, or for each field of a request. */
export type ArgumentKinds<Request> = { readonly [Name in keyof Required<Request>]: ArgumentKind };

/**
 * Checks what a program hands to a function of the library. Callers without types would otherwise see an error from deep
 * inside, or lose a field that they spelled wrong.
 */
export function checkArguments(
  of: string,
  given: unknown,
  kinds: Readonly<Record<string, ArgumentKind>>,
  /** `kept` where a caller may well hand over a larger object of its own. */
  otherFields: 'refused' | 'kept' = 'refused',
): void {
  if (!isRecord(given)) throw refuse(of, 'options', `options must be an object, not ${describeValue(given)}`);
  const names = Object.keys(kinds);
  for (const name of otherFields === 'kept' ? [] : Object.keys(given)) {
    if (Object.hasOwn(kinds, name)) continue;
    const near = nearestName(name, names);
    const known = near ? `did you mean ${near}?` : `allowed are ${names.join(', ')}`;
    throw refuse(of, name, `there is no option ${JSON.stringify(name.slice(0, 80))}; ${known}`);
  }
  for (const [name, { allowed, accepts, isRequired = false }] of Object.entries(kinds)) {
    const value = given[name];
    if (value === undefined) {
      if (isRequired) throw refuse(of, name, `${name} is missing; it must be ${allowed}`);
    } else if (!accepts(value))
      throw refuse(of, name, `${name} must be ${allowed}, not ${describeValue(value)}`);
  }
}

function refuse(of: string, subject: string, message: string): LoadoutError {
  return new LoadoutError('bad-argument', `${of}: ${message}`, { subject });
}

export function required(kind: ArgumentKind): ArgumentKind {
  return { ...kind, isRequired: true };
}

/** As a field of `objectWith` that may be missing. */
export function ifGiven({ allowed, accepts }: ArgumentKind): ArgumentKind {
  return { allowed, accepts: (value) => value === undefined || accepts(value) };
}

export function orNull({ allowed, accepts }: ArgumentKind): ArgumentKind {
  return { allowed: `${allowed} or null`, accepts: (value) => value === null || accepts(value) };
}

export function oneOf(values: readonly string[]): ArgumentKind {
  return { allowed: `one of ${values.join(', ')}`, accepts: (value) => values.includes(value as string) };
}

export function wholeNumber(min: number, max = Number.MAX_SAFE_INTEGER): ArgumentKind {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
  const isInside = (value: number) => Number.isSafeInteger(value) && value >= min && value <= max;
  return { allowed: `a whole number, ${range}`, accepts: (value) => isInside(value as number) };
}

export function listOf({ allowed, accepts }: ArgumentKind, what: string): ArgumentKind {
  return { allowed: `a list of ${what}, each ${allowed}`, accepts: (value) => isListOf(value, accepts) };
}

/** An object that has what is needed of it, such as a role or a schema. */
export function objectWith(allowed: string, fields: Readonly<Record<string, ArgumentKind>>): ArgumentKind {
  const entries = Object.entries(fields);
  return {
    allowed,
    accepts: (value) => isRecord(value) && entries.every(([name, { accepts }]) => accepts(value[name])),
  };
}

export const TEXT: ArgumentKind = { allowed: 'a text', accepts: (value) => typeof value === 'string' };
export const TEXTS: ArgumentKind = {
  allowed: 'a list of texts',
  accepts: (value) => isListOf(value, TEXT.accepts),
};
export const FLAG: ArgumentKind = {
  allowed: 'true or false',
  accepts: (value) => typeof value === 'boolean',
};
export const FUNCTION: ArgumentKind = {
  allowed: 'a function',
  accepts: (value) => typeof value === 'function',
};
export const RECORD: ArgumentKind = { allowed: 'an object', accepts: isRecord };
export const SIGNAL: ArgumentKind = {
  allowed: 'an AbortSignal',
  accepts: (value) => value instanceof AbortSignal,
};
export const SCHEMA: ArgumentKind = {
  ...objectWith('a schema such as genericOutput', { _zod: RECORD, rules: RECORD }),
  isRequired: true,
};
export const AMOUNT: ArgumentKind = {
  allowed: 'a number or a text such as "30k"',
  accepts: (value) => typeof value === 'number' || typeof value === 'string',
};

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOf(value: unknown, accepts: ArgumentKind['accepts']): boolean {
  return Array.isArray(value) && value.every(accepts);
}
