import type { JsonObject, JsonValue } from '../../schema/schema.ts';
import { quoted, showPath, type ValuePath } from '../../schema/value-issues.ts';

const MAX_JSON_LEVELS = 64;
const MAX_JSON_VALUES = 200_000;
const MAX_SHOWN_LEVELS = 8;

export interface NotPlainJson {
  readonly path: ValuePath;
  readonly problem: string;
}

export type PlainJson =
  | { readonly kind: 'plain'; readonly value: JsonValue }
  | { readonly kind: 'refused'; readonly refusal: NotPlainJson };

/** A copy that holds nothing but data: what a caller or a parser hands in may be anything. */
export function plainJson(value: unknown): PlainJson {
  try {
    return { kind: 'plain', value: new Copy().of(value) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error.refusal };
    throw error;
  }
}

export function showRefusal({ path, problem }: NotPlainJson): string {
  const shown = path.length > MAX_SHOWN_LEVELS ? [...path.slice(0, MAX_SHOWN_LEVELS), '…'] : path;
  return `${showPath(shown)}: ${problem}`;
}

class Refusal extends Error {
  readonly refusal: NotPlainJson;

  constructor(refusal: NotPlainJson) {
    super(refusal.problem);
    this.refusal = refusal;
  }
}

class Copy {
  private values = 0;
  private readonly path: (string | number)[] = [];

  of(value: unknown): JsonValue {
    this.values += 1;
    if (this.values > MAX_JSON_VALUES) this.refuse(`more than ${MAX_JSON_VALUES} values`);
    if (this.path.length > MAX_JSON_LEVELS) this.refuse(`more than ${MAX_JSON_LEVELS} levels of nesting`);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') return this.number(value);
    if (Array.isArray(value)) return Array.from(value, (item, index) => this.inside(index, item));
    if (typeof value === 'object' && isPlain(value)) return this.object(value);
    return this.refuse(`${nameOf(value)} is not JSON`);
  }

  private inside(step: string | number, value: unknown): JsonValue {
    this.path.push(step);
    const copy = this.of(value);
    this.path.pop();
    return copy;
  }

  private object(value: object): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (!property.enumerable) continue;
      // Code that merges answers by assignment would set a prototype with it.
      if (key === '__proto__') this.refuse('a field may not be called "__proto__"');
      if (property.get || property.set) this.refuse(`the computed property ${quoted(key)} is not JSON`);
      if (property.value !== undefined) entries.push([key, this.inside(key, property.value)]);
    }
    return Object.fromEntries(entries);
  }

  private number(value: number): number {
    const exact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
    return exact ? value : this.refuse(`the number ${value} cannot be held exactly; write it as a text`);
  }

  private refuse(problem: string): never {
    throw new Refusal({ path: [...this.path], problem });
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function nameOf(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return quoted(String(Object.prototype.toString.call(value).slice('[object '.length, -1)));
  }
  return value === undefined ? 'a missing value' : `a ${typeof value}`;
}
