import { LoadoutError } from '../model/loadout-error.ts';
import type { JsonValue, ValuePath } from './schema.ts';

const SHOWN_CHARACTERS = 60;

/** An error for a value that a program gave: names what it was given for, the value and what is allowed. */
export function badArgument(name: string, value: unknown, allowed: string): LoadoutError {
  const message = `${name} must be ${allowed}, not ${describeValue(value as JsonValue)}`;
  return new LoadoutError('bad-argument', message, { subject: name });
}

/** Completes "got ...": short, on one line, whatever the value is. */
export function describeValue(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  return Array.isArray(value) ? `a list of ${value.length}` : 'an object';
}

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
