// The rules that choose parts: by value, by relevance, the latest first, and protected parts before all others. Each
// one writes its choice into the ledger.

import { createHeap } from './heap.ts';
import { byPriority, firstFitting, type Ledger, OUT } from './ledger.ts';

/** How many parts on each side of the line between in and out `improveChoice` looks at. */
const SHORTLIST = 24;

/**
 * Chooses parts and forms together. A greedy pass takes the step with the most value for a unit, again and again. A
 * local search then improves the choice around the line between in and out.
 */
export function fitByValue(ledger: Ledger, members: readonly number[]): void {
  const { stepped, blocked } = takeBestSteps(ledger, members);
  // Parts whose next step was too large may still have a smaller form that fits.
  for (const part of blocked) takeBestFitting(ledger, part);
  const nearTheLine = new Set([...stepped.slice(-SHORTLIST), ...blocked.slice(0, SHORTLIST)]);
  improveChoice(ledger, [...nearTheLine]);
  // Every part that is out gets a reason.
  const { starts, values } = ledger.table;
  for (const part of members) {
    if (ledger.forms[part] !== OUT) continue;
    let worth = 0;
    for (let at = starts[part]!; at < starts[part + 1]!; at++) worth = Math.max(worth, values[at]!);
    if (worth <= 0) ledger.refuse(part, 'worth-nothing');
    else ledger.refuseForRoom(part);
  }
}

/**
 * The greedy pass. A step puts a part in or moves it to its next form. Returns the parts in the order of their steps, and
 * those whose next step did not fit.
 */
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
      // No step fits any more, and the local search has enough parts to look at.
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

interface UpgradePaths {
  /** The form after the first `level` steps of a part, or OUT when there is no further step. */
  next(part: number, level: number): number;
}

/**
 * For each part the forms on its upper convex hull, cheapest first. Each step then gives less value for a unit than the
 * step before it, so the greedy pass never has to take a bad step to reach a good one.
 */
function upgradePaths(ledger: Ledger, members: readonly number[]): UpgradePaths {
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
    // A part has a handful of forms: insertion is faster than a sort.
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

const MAX_SWEEPS = 4;
/** Sums of values differ by rounding. A smaller difference is no gain. */
const NO_GAIN = 1e-9;
/** With this few parts each one matters more, and a second order is worth its time. */
const FEW = 20;

/** Moves a part to its most valuable form that there is room for, if that is better than what it has. */
function takeBestFitting(ledger: Ledger, part: number): void {
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
 * The greedy pass misses the best choice when the rest of the room is too small for the next part. This search moves one
 * part at a time, lets the others make room or use the free room, and keeps the move if the sum of values has grown.
 */
function improveChoice(ledger: Ledger, shortlist: readonly number[]): void {
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
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    const before = best;
    for (const part of shortlist) {
      for (let form = OUT; form < parts[part]!.forms.length; form++) {
        for (const order of orders) tryMove(part, form, order);
      }
    }
    if (best - before <= NO_GAIN) return;
  }
}

/** The orders in which parts take free room: by value for a unit and, for few parts, also by value. */
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

/** Moves a part to a form. The last parts of the order make room for it, then the first ones take what is left. */
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

/** Sets the form of a part, OUT included. */
function put(ledger: Ledger, part: number, form: number): void {
  if (form === OUT) ledger.remove(part);
  else if (form !== ledger.forms[part]) ledger.place(part, form);
}

/** The best parts first: each one whole if it fits, else in its next smaller form, else not at all. */
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

/** The limits of `latest-first`; see `FitStrategy`. */
interface LatestFirst {
  readonly maxItems: number;
  readonly maxPerItem: number;
}

/** The latest `maxItems` parts, each within its own limit. The last one may be cut to the rest of the room. */
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
 * Places protected parts before all others. Each one gets its best form that leaves room for the smallest forms of the
 * others. If not even the smallest forms fit, the least important parts are cut.
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

/** Puts a part in, cut to the room: in the given form, or in its cheapest one. False when the rest would be too small. */
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
