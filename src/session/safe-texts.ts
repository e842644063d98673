// Texts of stored results without secrets, and the small cache that the session uses for them.

import { withoutSecrets } from '../redact/index.ts';
import { textOf } from './describe-result.ts';
import type { ToolResultStore } from './tool-result-store.ts';

interface SafeText {
  /** Without secrets. Of a long text, only the part near the shown end. */
  readonly text: string;
  /** In characters, of the whole text as it was. */
  readonly length: number;
  readonly isWhole: boolean;
}

/** Far more than any secret is long. */
const WINDOW = 32_768;
const REMEMBERED_CHARACTERS = 8_000_000;

/**
 * Texts of stored results with their secrets taken out, before anything is cut, so that no cut can hide a part of
 * one. The latest are remembered: a pack that looks for other words in the same results need not look for secrets.
 */
export class SafeTexts {
  readonly #store: ToolResultStore;
  readonly #remembered = new SmallCache<SafeText>(REMEMBERED_CHARACTERS, ({ text }) => text.length);

  constructor(store: ToolResultStore) {
    this.#store = store;
  }

  /** `not-text` for bytes that are none, `gone` when the store does not have them. */
  async read(id: string, selector: string, limit: number): Promise<SafeText | 'not-text' | 'gone'> {
    const known = this.#remembered.get(id);
    // a result that the store has dropped must not come back from here
    if (known !== undefined && (await this.#store.handle(id)) !== null) return known;
    const stored = await this.#store.get(id);
    if (stored === null) return 'gone';
    const text = textOf(stored.bytes, stored.handle.mime);
    if (text === null) return 'not-text';
    const near = nearEnd(text, selector, limit);
    const isWhole = near.length === text.length;
    const safe = { text: withoutSecrets(near), length: text.length, isWhole };
    if (isWhole) this.#remembered.set(id, safe);
    return safe;
  }
}

/** Looking for secrets takes time, so text far from the shown end is skipped. */
function nearEnd(text: string, selector: string, limit: number): string {
  const reach = limit + WINDOW;
  if (text.length <= reach) return text;
  if (selector === 'first_chars') return text.slice(0, reach);
  return selector === 'last_chars' ? text.slice(-reach) : text;
}

/** Keeps the values that were used last, up to a total weight; the one that was unused longest is dropped first. */
export class SmallCache<Value> {
  readonly #values = new Map<string, Value>();
  readonly #most: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;

  constructor(most: number, weigh: (value: Value) => number = () => 1) {
    this.#most = most;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  set(key: string, value: Value): void {
    this.#remove(key);
    this.#values.set(key, value);
    this.#weight += this.#weigh(value);
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#most) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const value = this.#values.get(key);
    if (value !== undefined) this.#weight -= this.#weigh(value);
    this.#values.delete(key);
  }
}
