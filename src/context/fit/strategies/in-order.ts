import { byPriority, firstFitting, type Ledger, OUT } from '../ledger.ts';

/** Best first: whole while it fits, else the next smaller form, else not at all. */
export function fitByRelevance(ledger: Ledger, members: readonly number[], names?: readonly string[]): void {
  const { parts } = ledger.request;
  for (const part of byPriority(parts, members)) {
    const room = ledger.roomFor(part);
    const named = names?.map((name) => parts[part]!.forms.findIndex((form) => form.name === name));
    const allowed = named?.filter((form) => form !== OUT);
    const form = allowed
      ? (allowed.find((one) => ledger.price(part, one) <= room) ?? OUT)
      : firstFitting(ledger, part, room);
    if (form !== OUT) ledger.place(part, form);
    else if (allowed?.length === 0) ledger.refuse(part, 'no-form');
    else ledger.refuseForRoom(part);
  }
}

interface LatestFirst {
  readonly maxItems: number;
  readonly maxPerItem: number;
}

/** The latest so many, each within its own cap, while the whole has room; the last one may be cut to the rest. */
export function latestFirst(ledger: Ledger, members: readonly number[], rule: LatestFirst): void {
  const { parts, partOverhead = 0 } = ledger.request;
  let items = 0;
  for (const part of byPriority(parts, members)) {
    if (items >= rule.maxItems) {
      ledger.refuse(part, 'too-many-items');
      continue;
    }
    const room = Math.min(ledger.roomFor(part), rule.maxPerItem + partOverhead);
    const form = firstFitting(ledger, part, room);
    if (form !== OUT) ledger.place(part, form);
    else if (!placeCut(ledger, part, room, 0)) continue;
    items++;
  }
}

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
function placeCut(ledger: Ledger, part: number, room: number, form?: number): boolean {
  const { partOverhead = 0, smallestCut = 1 } = ledger.request;
  const grant = Math.floor(room - partOverhead);
  if (grant < Math.max(1, smallestCut)) {
    ledger.refuseForRoom(part);
    return false;
  }
  ledger.place(part, form ?? ledger.table.cheapest[part]!, grant);
  return true;
}
