import { byPriority, type Ledger } from '../ledger.ts';

/** Takes everything, then drops whole parts until the rest fits; what was dropped is not tried again. */
export function dropLowest(ledger: Ledger, members: readonly number[], order?: readonly string[]): void {
  const { parts } = ledger.request;
  for (const part of members) ledger.place(part, 0);
  const ranked = order === undefined ? byPriority(parts, members) : byList(parts, members, order);
  for (const part of ranked.reverse()) {
    const groupIsOver = ledger.roomFor(part) < 0 && ledger.room() >= 0;
    if (ledger.room() >= 0 && !groupIsOver) continue;
    ledger.remove(part);
    ledger.refuse(part, groupIsOver ? 'group-full' : 'no-room');
  }
}

/** Listed parts in the order of the list, then the others in the order they came. */
function byList(
  parts: Ledger['request']['parts'],
  members: readonly number[],
  order: readonly string[],
): number[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = (part: number) => places.get(parts[part]!.id) ?? order.length;
  return [...members].sort((left, right) => placeOf(left) - placeOf(right) || left - right);
}
