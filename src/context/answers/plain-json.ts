import type { JsonObject, JsonValue } from '../../schema/schema.ts';
import { quoted, showPath, type ValuePath } from '../../schema/value-issues.ts';

// Copies a value from outside into plain JSON data. Getters, prototypes, functions, cycles and huge values are refused,
// so later code can treat the copy as data. Answers and guideline files go through it.

/** A cycle also ends here. */
const MAX_JSON_LEVELS = 64;
const MAX_JSON_VALUES = 200_000;
/** Of the path in a message. */
const MAX_SHOWN_LEVELS = 8;

/** The first value that is not plain JSON. */
export interface NotPlainJson {
  readonly path: ValuePath;
  /** Such as `a function is not JSON`. */
  readonly problem: string;
}

/** The copy, or the reason why there is none. */
export type PlainJson =
  | { readonly kind: 'plain'; readonly value: JsonValue }
  | { readonly kind: 'refused'; readonly refusal: NotPlainJson };

/** A copy that holds nothing but data. The value may come from a caller or from a parser. */
export function plainJson(value: unknown): PlainJson {
  try {
    return { kind: 'plain', value: new Copy().of(value) };
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error.refusal };
    throw error;
  }
}

/** `list[2].run: a function is not JSON`. */
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

/** One copy in progress: it counts values and knows the path to the current one. */
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

  /** Reads property descriptors instead of properties, so that no getter runs. */
  private object(value: object): JsonObject {
    const entries: [string, JsonValue][] = [];
    for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
      if (!property.enumerable) continue;
      // Code that merges answers by assignment would change a prototype.
      if (key === '__proto__') this.refuse('a field may not be called "__proto__"');
      if (property.get || property.set) this.refuse(`the computed property ${quoted(key)} is not JSON`);
      if (property.value !== undefined) entries.push([key, this.inside(key, property.value)]);
    }
    return Object.fromEntries(entries);
  }

  /** Integers above 2^53 lose digits without a warning, so they are refused. */
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
