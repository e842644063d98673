// Checks values against schemas and writes their problems in one style, for settings, roles, answers and MCP.

import type { ZodMiniType } from 'zod/mini';
import { LoadoutError } from '../model/loadout-error.ts';
import type { Schema } from './schema.ts';

export type ValuePath = readonly (string | number)[];

/** One problem of a value. */
export interface ValueIssue {
  readonly path: ValuePath;
  /** Completes "expected ...". */
  readonly expected: string;
  /** Completes "got ...". */
  readonly received: string;
}

/** A value may have any number of mistakes; messages show a few of them. */
const MAX_ISSUES = 100;

export type Reading<Value> =
  | { readonly kind: 'read'; readonly value: Value }
  | {
      readonly kind: 'refused';
      /** The first of them. */
      readonly issues: readonly ValueIssue[];
      readonly count: number;
    };

/** Checks a value: returns it with its defaults filled in, or its problems. */
export function readValue<Value>(
  schema: Schema<Value>,
  value: unknown,
  path: ValuePath = [],
): Reading<Value> {
  const checked = run(schema, value);
  if (checked.issues.length === 0) return { kind: 'read', value: checked.value };
  const issues = checked.issues.slice(0, MAX_ISSUES).flatMap((issue) => toValueIssues(issue, path));
  const count = checked.issues.reduce((sum, { keys }) => sum + (keys?.length ?? 1), 0);
  return { kind: 'refused', issues: issues.slice(0, MAX_ISSUES), count };
}

/** The value, or undefined when it is not allowed. */
export function valueOrUndefined<Value>(schema: Schema<Value>, value: unknown): Value | undefined {
  const checked = run(schema, value);
  return checked.issues.length === 0 ? checked.value : undefined;
}

/** An issue as zod has it, as far as messages need it. */
interface RawIssue {
  readonly code: string;
  readonly path?: readonly PropertyKey[];
  readonly input?: unknown;
  /** Of fields that are not known. */
  readonly keys?: readonly string[];
  /** The name of the field that tells the types of a union apart. */
  readonly discriminator?: string;
  readonly message?: string;
  readonly inst?: { readonly _zod: { readonly def: { readonly error?: (issue: RawIssue) => unknown } } };
}

/**
 * Runs the check itself. `safeParse` would write a message for each of 100,000 wrong items before the caller could look at
 * the first. Nothing is compiled: that costs more than the few values that are checked with one schema.
 */
function run<Value>(schema: Schema<Value>, value: unknown) {
  const payload = { value, issues: [] };
  const context = { async: false, jitless: true } as const;
  return (schema as unknown as ZodMiniType)._zod.run(payload, context) as unknown as {
    readonly value: Value;
    readonly issues: readonly RawIssue[];
  };
}

/** One value inside another that is not allowed. */
export interface FoundIssue {
  readonly path: ValuePath;
  readonly value: unknown;
  /** Completes "allowed is ...". */
  readonly allowed: string;
  /** A number where a text belongs, or the like; else only the value is wrong. */
  readonly isWrongType: boolean;
}

/** Every issue with its value, for callers that write sentences of their own. */
export function findIssues(schema: Schema<unknown>, value: unknown): FoundIssue[] {
  return run(schema, value).issues.map((issue) => {
    const { code, path = [], input } = issue;
    const isWrongType = code === 'invalid_type' || (code === 'invalid_value' && typeof input !== 'string');
    return { path: path as ValuePath, value: input, allowed: allowedBy(issue), isWrongType };
  });
}

/** The words for the allowed values: every schema is declared with them as its error. */
function allowedBy(issue: RawIssue): string {
  const said = issue.message ?? issue.inst?._zod.def.error?.(issue);
  return typeof said === 'string' ? said : 'another value';
}

/** Turns the issues of zod into our sentences. */
function toValueIssues(issue: RawIssue, above: ValuePath): ValueIssue[] {
  const path = [...above, ...((issue.path ?? []) as ValuePath)];
  const expected = allowedBy(issue);
  if (issue.keys) return unknownFields(issue.keys, expected, path);
  return [{ path, expected, received: describeReceived(issue) }];
}

function describeReceived({ input, discriminator }: RawIssue): string {
  const value = discriminator === undefined ? input : ownValue(input, discriminator);
  return value === undefined ? 'nothing: the field is missing' : describeValue(value);
}

function ownValue(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null) return of;
  return Object.hasOwn(of, name) ? (of as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** The nearest name is looked for a few times only: an answer may have any number of fields. */
const MAX_SUGGESTIONS = 20;

function unknownFields(extra: readonly string[], known: string, path: ValuePath): ValueIssue[] {
  const names = known.split(', ');
  return extra.slice(0, MAX_ISSUES).map((name, index) => {
    const near = index < MAX_SUGGESTIONS ? nearestName(name, names) : null;
    const meant = near ? ` (did you mean ${JSON.stringify(near)}?)` : '';
    const expected = `no field of this name${meant}`;
    return { path: [...path, name], expected, received: `a field that is not one of ${known}` };
  });
}

/** `line: expected a whole number, got "x"`. */
export function showIssue({ path, expected, received }: ValueIssue): string {
  return `${showPath(path)}: expected ${expected}, got ${received}`;
}

/** An error for a value that a program gave: names what it was given for, the value and what is allowed. */
export function badArgument(name: string, value: unknown, allowed: string): LoadoutError {
  const message = `${name} must be ${allowed}, not ${describeValue(value)}`;
  return new LoadoutError('bad-argument', message, { subject: name });
}

/** Completes "got ...": short, on one line, whatever the value is. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}

const SHOWN_CHARACTERS = 60;

export function quoted(text: string): string {
  const cut = text.length > SHOWN_CHARACTERS;
  return (
    JSON.stringify(cut ? text.slice(0, SHOWN_CHARACTERS) : text) + (cut ? ` (${text.length} characters)` : '')
  );
}

/** `issues[0].line`, as people write it. */
export function showPath(path: ValuePath): string {
  if (path.length === 0) return 'the answer';
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${showKey(step)}`,
    )
    .join('');
}

function showKey(key: string): string {
  return /^[\w$-]{1,60}$/.test(key) ? key : quoted(key);
}

/** The known name a user most likely meant, or null when none is close. */
export function nearestName(typed: string, known: Iterable<string>): string | null {
  // A hostile file may hold a key of any length; the distance costs length times length.
  if (typed.length > 64) return null;
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(typed.length * 0.4)) + 1;
  for (const name of known) {
    const distance = editDistance(typed.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours, each costing one. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}
