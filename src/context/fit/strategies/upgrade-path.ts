import { type Ledger, OUT } from '../ledger.ts';

export interface UpgradePaths {
  /** The form after the first `level` steps of a part, or OUT when there is no further step. */
  next(part: number, level: number): number;
}

/**
 * For each part the forms worth passing through on the way up, cheapest first: each step gives less for a unit
 * than the one before it, so that taking the best step anywhere is never a step into a dead end.
 */
export function upgradePaths(ledger: Ledger, members: readonly number[]): UpgradePaths {
  const { starts, prices, values } = ledger.table;
  const paths = new Int32Array(prices.length).fill(OUT);
  for (const part of members) {
    const start = starts[part]!;
    const sorted = usableForms(ledger, part);
    let length = 0;
    for (const form of sorted) {
      const [price, value] = [prices[start + form]!, values[start + form]!];
      while (length > 0) {
        const last = start + paths[start + length - 1]!;
        if (value <= values[last]!) break;
        const previous = length > 1 ? start + paths[start + length - 2]! : OUT;
        const [basePrice, baseValue] = previous === OUT ? [0, 0] : [prices[previous]!, values[previous]!];
        const worthOfLast = (values[last]! - baseValue) / (prices[last]! - basePrice);
        if ((value - baseValue) / (price - basePrice) < worthOfLast) break;
        length--;
      }
      if (length > 0 && value <= values[start + paths[start + length - 1]!]!) continue;
      paths[start + length++] = form;
    }
    for (let at = start + length; at < starts[part + 1]!; at++) paths[at] = OUT;
  }
  return {
    next: (part, level) => (level < starts[part + 1]! - starts[part]! ? paths[starts[part]! + level]! : OUT),
  };
}

/** Forms that are worth something and could fit, cheapest first. */
function usableForms({ table: { starts, prices, values }, roomFor }: Ledger, part: number): number[] {
  const room = roomFor(part);
  const start = starts[part]!;
  const usable: number[] = [];
  for (let at = start; at < starts[part + 1]!; at++) {
    if (prices[at]! > room || values[at]! <= 0) continue;
    let place = usable.length;
    // a handful of forms: inserting beats sorting
    for (; place > 0; place--) {
      const before = start + usable[place - 1]!;
      if (prices[before]! < prices[at]! || (prices[before] === prices[at] && values[before]! >= values[at]!))
        break;
      usable[place] = usable[place - 1]!;
    }
    usable[place] = at - start;
  }
  return usable;
}
