import type { Part } from './part.ts';

/** All forms of all parts side by side: those of part `i` are `starts[i]` up to `starts[i + 1]`. */
export interface FormTable {
  readonly starts: Int32Array;
  /** Cost and overhead together. */
  readonly prices: Float64Array;
  readonly values: Float64Array;
  /** By part: the number of its cheapest form, the last among equals. */
  readonly cheapest: Int32Array;
}

/** Tens of thousands of parts are looked at many times over: numbers in rows, not objects. */
export function formTable(parts: readonly Part[], partOverhead: number): FormTable {
  const starts = new Int32Array(parts.length + 1);
  for (let part = 0; part < parts.length; part++)
    starts[part + 1] = starts[part]! + parts[part]!.forms.length;
  const prices = new Float64Array(starts[parts.length]!);
  const values = new Float64Array(prices.length);
  const cheapest = new Int32Array(parts.length);
  for (let part = 0; part < parts.length; part++) {
    const { forms, priority } = parts[part]!;
    const start = starts[part]!;
    for (let form = 0; form < forms.length; form++) {
      const { cost, value = priority } = forms[form]!;
      prices[start + form] = cost + partOverhead;
      values[start + form] = value;
      if (prices[start + form]! <= prices[start + cheapest[part]!]!) cheapest[part] = form;
    }
  }
  return { starts, prices, values, cheapest };
}
