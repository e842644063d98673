import type { Ledger } from '../ledger.ts';
import { placeCut } from './place-protected.ts';

export interface FixedOrder {
  readonly dropOrder: readonly string[];
  readonly cutOrder?: readonly string[];
}

/** Keeps the order; drops what may be dropped one by one; then cuts, last part first. */
export function fixedOrder(ledger: Ledger, members: readonly number[], rule: FixedOrder): void {
  const { parts } = ledger.request;
  for (const part of members) ledger.place(part, 0);
  const named = (ids: readonly string[]) =>
    ids.flatMap((id) => members.filter((part) => parts[part]!.id === id));
  for (const part of named(rule.dropOrder)) {
    if (ledger.room() >= 0) return;
    if (parts[part]!.protected) continue;
    ledger.remove(part);
    ledger.refuse(part, 'no-room');
  }
  const lastFirst = [...members].reverse();
  for (const part of new Set([...named(rule.cutOrder ?? []), ...lastFirst])) {
    if (ledger.room() >= 0) return;
    if (ledger.refusals[part] !== undefined) continue;
    ledger.remove(part);
    // nothing else is given up while a cut of this one is enough
    if (ledger.room() >= 0) placeCut(ledger, part, ledger.roomFor(part), 0);
    else ledger.refuse(part, 'no-room');
  }
}
