import { createHeap } from '../heap.ts';
import { type Ledger, OUT } from '../ledger.ts';
import { improveChoice, takeBestFitting } from './improve-choice.ts';
import { upgradePaths } from './upgrade-path.ts';

/** How many parts on either side of the line between in and out the repair looks at. */
const SHORTLIST = 24;

/** Parts and forms together: the step that gives most for a unit, anywhere, again and again; then a repair. */
export function fitByValue(ledger: Ledger, members: readonly number[]): void {
  const { stepped, blocked } = takeBestSteps(ledger, members);
  for (const part of blocked) takeBestFitting(ledger, part);
  const nearTheLine = new Set([...stepped.slice(-SHORTLIST), ...blocked.slice(0, SHORTLIST)]);
  improveChoice(ledger, [...nearTheLine]);
  const { starts, values } = ledger.table;
  for (const part of members) {
    if (ledger.forms[part] !== OUT) continue;
    let worth = 0;
    for (let at = starts[part]!; at < starts[part + 1]!; at++) worth = Math.max(worth, values[at]!);
    if (worth <= 0) ledger.refuse(part, 'worth-nothing');
    else ledger.refuseForRoom(part);
  }
}

function takeBestSteps(ledger: Ledger, members: readonly number[]) {
  const { parts } = ledger.request;
  const paths = upgradePaths(ledger, members);
  const levels = new Uint16Array(parts.length);
  const worth = new Float64Array(parts.length);
  const heap = createHeap((one, other) =>
    worth[one] === worth[other] ? parts[one]!.id < parts[other]!.id : worth[one]! > worth[other]!,
  );
  const leastPrice = (part: number) => ledger.price(part, ledger.table.cheapest[part]!);
  let leastStep = Number.POSITIVE_INFINITY;
  const offer = (part: number) => {
    const form = paths.next(part, levels[part]!);
    if (form === OUT) return;
    const current = ledger.forms[part]!;
    const price = ledger.price(part, form) - ledger.price(part, current);
    worth[part] = (ledger.value(part, form) - ledger.value(part, current)) / price;
    leastStep = Math.min(leastStep, price, leastPrice(part));
    heap.push(part);
  };
  for (const part of members) offer(part);
  const stepped: number[] = [];
  const blocked: number[] = [];
  for (let part = heap.pop(); part !== undefined; part = heap.pop()) {
    const form = paths.next(part, levels[part]!);
    const price = ledger.price(part, form) - ledger.price(part, ledger.forms[part]!);
    if (price > ledger.roomFor(part)) {
      blocked.push(part);
      // with less room than any step takes, only what the repair looks at is of interest
      if (blocked.length >= SHORTLIST && ledger.room() < leastStep) break;
      continue;
    }
    ledger.place(part, form);
    levels[part]!++;
    stepped.push(part);
    offer(part);
  }
  return { stepped, blocked };
}
