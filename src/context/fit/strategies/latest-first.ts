import { byPriority, firstFitting, type Ledger, OUT } from '../ledger.ts';
import { placeCut } from './place-protected.ts';

export interface LatestFirst {
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
