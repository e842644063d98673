import { TemplateError } from './template-error.ts';

export type TemplateValue = string | number | boolean | null | TemplateList | TemplateObject;
export type TemplateList = readonly TemplateValue[];
/** Has no prototype: what is not its own is not there. */
export interface TemplateObject {
  readonly [key: string]: TemplateValue;
}

const MAX_LEVELS = 32;
const MAX_VALUES = 100_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Refused even as somebody's own data: a template that asks for one of these is not after data. */
const NEVER_RESOLVED: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

/** A copy of what the caller gives, with nothing in it but data; a function in it could be called. */
export function templateData(data: object): TemplateObject {
  return new Copy().object(data, 'data', 0);
}

/** The value of an own key, or undefined. */
export function ownValue(object: TemplateObject, key: string): TemplateValue | undefined {
  return !NEVER_RESOLVED.has(key) && Object.hasOwn(object, key) ? object[key] : undefined;
}

export function templateObject(entries: Iterable<readonly [string, TemplateValue]>): TemplateObject {
  const object = Object.create(null) as Record<string, TemplateValue>;
  for (const [key, value] of entries) object[key] = value;
  return object;
}

export function isList(value: TemplateValue): value is TemplateList {
  return Array.isArray(value);
}

export function isObject(value: TemplateValue): value is TemplateObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As in Python: empty things are false. */
export function isTruthy(value: TemplateValue): boolean {
  if (isList(value)) return value.length > 0;
  if (!isObject(value)) return Boolean(value);
  for (const _ in value) return true;
  return false;
}

class Copy {
  private values = 0;
  private characters = 0;

  private of(value: unknown, path: string, level: number): TemplateValue {
    this.values += 1;
    if (this.values > MAX_VALUES) refuse(path, `more than ${MAX_VALUES} values`);
    if (level > MAX_LEVELS) refuse('data', `more than ${MAX_LEVELS} levels`);
    if (typeof value === 'string') return this.text(value, path);
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (Array.isArray(value)) {
      return Array.from(value, (item, index) => this.of(item, `${path}[${index}]`, level + 1));
    }
    if (typeof value === 'object') return this.object(value, path, level);
    return refuse(path, `a ${typeof value}`);
  }

  object(value: object, path: string, level: number): TemplateObject {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) refuse(path, 'not a plain object');
    const entries: [string, TemplateValue][] = [];
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (property.get || property.set) refuse(`${path}.${key}`, 'a computed property');
      if (!property.enumerable || property.value === undefined) continue;
      entries.push([this.text(key, path), this.of(property.value, `${path}.${key}`, level + 1)]);
    }
    return templateObject(entries);
  }

  private text(value: string, path: string): string {
    this.characters += value.length;
    if (this.characters > MAX_CHARACTERS) refuse(path, `more than ${MAX_CHARACTERS} characters`);
    return value;
  }
}

function refuse(path: string, what: string): never {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
  throw new TemplateError('template-value', `templates take plain data only: ${shown} is ${what}`, null);
}
