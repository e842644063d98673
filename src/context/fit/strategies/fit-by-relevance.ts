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
