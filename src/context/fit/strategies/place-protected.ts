import { byPriority, firstFitting, type Ledger, OUT } from '../ledger.ts';

/**
 * Protected parts come before all others: each in its best form that leaves the other protected ones room for
 * their smallest. Where not even the smallest forms fit, the least important ones are cut.
 */
export function placeProtected(ledger: Ledger, members: readonly number[]): void {
  const { parts } = ledger.request;
  const order = byPriority(parts, members);
  const leastPrice = (part: number) => ledger.price(part, ledger.table.cheapest[part]!);
  let reserved = order.reduce((sum, part) => sum + leastPrice(part), 0);
  const allFit = reserved <= ledger.room();
  for (const part of order) {
    reserved -= leastPrice(part);
    const room = Math.min(ledger.roomFor(part), allFit ? ledger.room() - reserved : Infinity);
    const form = firstFitting(ledger, part, room);
    if (form !== OUT) ledger.place(part, form);
    else placeCut(ledger, part, room);
  }
}

/** Puts in as much of a part's smallest form as there is room for. */
export function placeCut(ledger: Ledger, part: number, room: number, form?: number): boolean {
  const { partOverhead = 0, smallestCut = 1 } = ledger.request;
  const grant = Math.floor(room - partOverhead);
  if (grant < Math.max(1, smallestCut)) {
    ledger.refuseForRoom(part);
    return false;
  }
  ledger.place(part, form ?? ledger.table.cheapest[part]!, grant);
  return true;
}
