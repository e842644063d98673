// The accounts of one fit: what is in, in which form, and how much room is left. Strategies write here and nowhere else,
// so no strategy can exceed a limit without it being seen.

import type { FitRequest, OutReason, Part } from './part.ts';

/** The form number of a part that is not in. */
export const OUT = -1;

/** The state of one fit. Parts and forms are numbers: their index in the request and in the part. */
export interface Ledger {
  readonly request: FitRequest;
  readonly table: FormTable;
  /** By part: the number of the chosen form, or OUT. */
  readonly forms: Int32Array;
  /** By part: the units it has, without the overhead. */
  readonly grants: Float64Array;
  /** By part: why it is out. */
  readonly refusals: (OutReason | undefined)[];
  /** Units left of the whole limit. Below 0 while a strategy tries a move. */
  room(): number;
  /** Units left for this part beyond what it has: the smaller of the whole and its group. */
  roomFor(part: number): number;
  /** Cost and overhead of a form; 0 for OUT. */
  price(part: number, form: number): number;
  /** The value of a form; 0 for OUT. */
  value(part: number, form: number): number;
  /** Puts a part in, or changes its form. A `grant` below the cost of the form means that it is cut. */
  place(part: number, form: number, grant?: number): void;
  /** Takes a part out and gives back its room. */
  remove(part: number): void;
  /** Records why a part is out. The first reason stays. */
  refuse(part: number, reason: OutReason): void;
  /** The same for a part without room. It tells a full group from a full budget. */
  refuseForRoom(part: number): void;
}

/** Opens the accounts with all parts out. */
export function createLedger(request: FitRequest): Ledger {
  const { parts, groupLimits = {}, partOverhead = 0 } = request;
  const table = formTable(parts, partOverhead);
  const { starts, prices, values } = table;
  const forms = new Int32Array(parts.length).fill(OUT);
  const grants = new Float64Array(parts.length);
  const refusals: (OutReason | undefined)[] = new Array(parts.length).fill(undefined);
  const groups = new Map(Object.entries(groupLimits));
  let left = request.limit;

  const take = (part: number, units: number) => {
    left -= units;
    if (groups.size === 0) return;
    const group = parts[part]!.group ?? '';
    const groupLeft = groups.get(group);
    if (groupLeft !== undefined) groups.set(group, groupLeft - units);
  };
  const taken = (part: number) => (forms[part] === OUT ? 0 : grants[part]! + partOverhead);
  const roomFor = (part: number) => {
    if (groups.size === 0) return left;
    return Math.min(left, groups.get(parts[part]!.group ?? '') ?? left);
  };
  const refuse = (part: number, reason: OutReason) => {
    refusals[part] ??= reason;
  };

  return {
    request,
    table,
    forms,
    grants,
    refusals,
    room: () => left,
    roomFor,
    price: (part, form) => (form === OUT ? 0 : prices[starts[part]! + form]!),
    value: (part, form) => (form === OUT ? 0 : values[starts[part]! + form]!),
    place(part, form, grant = prices[starts[part]! + form]! - partOverhead) {
      take(part, grant + partOverhead - taken(part));
      forms[part] = form;
      grants[part] = grant;
      refusals[part] = undefined;
    },
    remove(part) {
      take(part, -taken(part));
      forms[part] = OUT;
      grants[part] = 0;
    },
    refuse,
    refuseForRoom: (part) => refuse(part, roomFor(part) < left ? 'group-full' : 'no-room'),
  };
}

/** The first form of a part that fits into the room, or OUT. */
export function firstFitting({ table: { starts, prices } }: Ledger, part: number, room: number): number {
  for (let at = starts[part]!; at < starts[part + 1]!; at++) {
    if (prices[at]! <= room) return at - starts[part]!;
  }
  return OUT;
}

/** The most important first. Equal ones are ordered by id, so the order of the request does not matter. */
export function byPriority(parts: readonly Part[], members: readonly number[]): number[] {
  return [...members].sort((one, other) => {
    const difference = parts[other]!.priority - parts[one]!.priority;
    if (difference !== 0) return difference;
    return parts[one]!.id < parts[other]!.id ? -1 : parts[one]!.id > parts[other]!.id ? 1 : one - other;
  });
}

/** All forms of all parts in one row: those of part `i` are `starts[i]` up to `starts[i + 1]`. */
interface FormTable {
  readonly starts: Int32Array;
  /** Cost and overhead together. */
  readonly prices: Float64Array;
  readonly values: Float64Array;
  /** By part: the number of its cheapest form, the last among equals. */
  readonly cheapest: Int32Array;
}

/** A fit visits tens of thousands of parts many times, so the numbers are in typed arrays. */
function formTable(parts: readonly Part[], partOverhead: number): FormTable {
  const starts = new Int32Array(parts.length + 1);
  for (let part = 0; part < parts.length; part++)
    starts[part + 1] = starts[part]! + parts[part]!.forms.length;
  const prices = new Float64Array(starts[parts.length]!);
  const values = new Float64Array(prices.length);
  const cheapest = new Int32Array(parts.length);
  for (let part = 0; part < parts.length; part++) {
    const { forms, priority } = parts[part]!;
    const start = starts[part]!;
    for (let form = 0; form < forms.length; form++) {
      const { cost, value = priority } = forms[form]!;
      prices[start + form] = cost + partOverhead;
      values[start + form] = value;
      if (prices[start + form]! <= prices[start + cheapest[part]!]!) cheapest[part] = form;
    }
  }
  return { starts, prices, values, cheapest };
}
