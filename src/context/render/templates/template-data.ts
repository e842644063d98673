import { TemplateError } from './template-error.ts';

// Copies the data of a caller before a template sees it. The copy holds only plain values, so a template cannot reach
// functions, getters or prototypes.

/** A value that a template may see. */
type TemplateValue = string | number | boolean | null | readonly TemplateValue[] | TemplateObject;
/** An object without a prototype, so a name that is not its own is undefined. */
export interface TemplateObject {
  readonly [key: string]: TemplateValue;
}

const MAX_LEVELS = 32;
const MAX_VALUES = 100_000;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Names that are left out of the copy: a template that asks for one of them is not looking for data. */
const NEVER_GIVEN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

/** Copies the data of a caller. The engine would call functions that it finds, so anything but data is refused. */
export function templateData(data: object): TemplateObject {
  return new Copy().object(data, 'data', 0);
}

/** One copy in progress. It counts values and characters against the limits. */
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
    const copy = Object.create(null) as Record<string, TemplateValue>;
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (property.get || property.set) refuse(`${path}.${key}`, 'a computed property');
      if (!property.enumerable || property.value === undefined) continue;
      const copied = this.of(property.value, `${path}.${key}`, level + 1);
      if (!NEVER_GIVEN.has(key)) copy[this.text(key, path)] = copied;
    }
    return copy;
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
