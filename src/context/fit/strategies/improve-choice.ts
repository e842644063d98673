import { type Ledger, OUT } from '../ledger.ts';

const MOST_SWEEPS = 4;
/** Sums of values differ by rounding; less than this is no gain. */
const NO_GAIN = 1e-9;
/** With so few parts a single one decides much: a second way to share the room is worth its time. */
const FEW = 20;

/** Moves a part to its most valuable form that there is room for, if that is better than what it has. */
export function takeBestFitting(ledger: Ledger, part: number): void {
  const current = ledger.forms[part]!;
  const room = ledger.roomFor(part) + ledger.price(part, current);
  const { starts, prices, values } = ledger.table;
  const start = starts[part]!;
  let best = current;
  let bestValue = ledger.value(part, current);
  for (let at = start; at < starts[part + 1]!; at++) {
    if (values[at]! <= bestValue || prices[at]! > room) continue;
    best = at - start;
    bestValue = values[at]!;
  }
  if (best !== current) ledger.place(part, best);
}

/**
 * Steps by worth per unit stop short of the best choice when what is left over is too small for the next part.
 * Around that line: move one part, let the others make room or use what came free, keep it if the sum has grown.
 */
export function improveChoice(ledger: Ledger, shortlist: readonly number[]): void {
  const { parts } = ledger.request;
  const orders = turnOrders(ledger, shortlist);
  const sum = () => shortlist.reduce((all, part) => all + ledger.value(part, ledger.forms[part]!), 0);
  let best = sum();
  const tryMove = (part: number, form: number, order: readonly number[]) => {
    if (form === ledger.forms[part]) return;
    const saved = shortlist.map((one) => ledger.forms[one]!);
    const reached = move(ledger, order, part, form) ? sum() : 0;
    if (reached > best + NO_GAIN) best = reached;
    else for (const [at, one] of shortlist.entries()) put(ledger, one, saved[at]!);
  };
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    const before = best;
    for (const part of shortlist) {
      for (let form = OUT; form < parts[part]!.forms.length; form++) {
        for (const order of orders) tryMove(part, form, order);
      }
    }
    if (best - before <= NO_GAIN) return;
  }
}

/** In which turn parts take what is free: most worth per unit first, and for few also most worth first. */
function turnOrders(ledger: Ledger, shortlist: readonly number[]): number[][] {
  const most = (part: number, worth: (form: number) => number) =>
    Math.max(0, ...ledger.request.parts[part]!.forms.map((_, form) => worth(form)));
  const descending = (rate: (part: number) => number) => {
    const rates = new Map(shortlist.map((part) => [part, rate(part)]));
    return [...shortlist].sort((one, other) => rates.get(other)! - rates.get(one)!);
  };
  const byUnit = descending((part) =>
    most(part, (form) => ledger.value(part, form) / Math.max(1e-9, ledger.price(part, form))),
  );
  if (shortlist.length > FEW) return [byUnit];
  return [byUnit, descending((part) => most(part, (form) => ledger.value(part, form)))];
}

/** The others make room from the last turn up, then take what is left from the first turn down. */
function move(ledger: Ledger, order: readonly number[], part: number, form: number): boolean {
  put(ledger, part, form);
  const isShort = () => ledger.room() < 0 || ledger.roomFor(part) < 0;
  for (let at = order.length - 1; at >= 0 && isShort(); at--) {
    if (order[at] !== part) put(ledger, order[at]!, OUT);
  }
  if (isShort()) return false;
  for (const one of order) if (one !== part) takeBestFitting(ledger, one);
  takeBestFitting(ledger, part);
  return true;
}

function put(ledger: Ledger, part: number, form: number): void {
  if (form === OUT) ledger.remove(part);
  else if (form !== ledger.forms[part]) ledger.place(part, form);
}
