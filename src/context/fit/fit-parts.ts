import { createLedger, type Ledger } from './ledger.ts';
import type { ChosenPart, FitReceipt, FitRequest, FitResult } from './part.ts';
import { fitByRelevance } from './strategies/fit-by-relevance.ts';
import { fitByValue } from './strategies/fit-by-value.ts';
import { latestFirst } from './strategies/latest-first.ts';
import { placeProtected } from './strategies/place-protected.ts';

/**
 * The one budget fitter: chooses which parts go in and in which form, so that their costs never exceed the
 * limit. The same parts, in whatever order, give the same choice; every part gets a receipt.
 *
 * @example
 * const { chosen, receipts } = fitParts({
 *   parts: [{ id: 'a.ts', priority: 0.9, forms: [{ name: 'full', cost: 800 }, { name: 'mention', cost: 9 }] }],
 *   limit: 500,
 *   strategy: { kind: 'relevance' },
 * });
 */
export function fitParts(request: FitRequest): FitResult {
  check(request);
  const ledger = createLedger(request);
  choose(ledger, eligibleParts(ledger));
  return settle(ledger);
}

function check({ limit, parts, partOverhead = 0 }: FitRequest): void {
  const isAmount = (amount: number) => amount >= 0;
  if (!isAmount(limit)) throw new RangeError(`limit must be 0 or more, got ${limit}`);
  if (!isAmount(partOverhead)) throw new RangeError(`partOverhead must be 0 or more, got ${partOverhead}`);
  for (const { id, forms } of parts) {
    for (const { name, cost } of forms) {
      if (!isAmount(cost)) throw new RangeError(`cost of ${id} (${name}) must be 0 or more, got ${cost}`);
    }
  }
}

function eligibleParts(ledger: Ledger): number[] {
  const { parts, minimumPriority = Number.NEGATIVE_INFINITY } = ledger.request;
  const members: number[] = [];
  parts.forEach((part, at) => {
    if (part.forms.length === 0) ledger.refuse(at, 'no-form');
    else if (part.priority < minimumPriority && !part.protected) ledger.refuse(at, 'below-minimum');
    else members.push(at);
  });
  return members;
}

function choose(ledger: Ledger, members: readonly number[]): void {
  const { parts, strategy } = ledger.request;
  const isProtected = (part: number) => parts[part]!.protected === true;
  placeProtected(ledger, members.filter(isProtected));
  const others = members.filter((part) => !isProtected(part));
  if (strategy.kind === 'value') fitByValue(ledger, others);
  else if (strategy.kind === 'relevance') fitByRelevance(ledger, others, strategy.forms);
  else latestFirst(ledger, others, strategy);
}

function settle(ledger: Ledger): FitResult {
  const chosen: ChosenPart[] = [];
  const receipts = ledger.request.parts.map((part, index): FitReceipt => {
    const { id, forms } = part;
    const form = forms[ledger.forms[index]!];
    const wholeCost = forms[0]?.cost ?? 0;
    if (form === undefined) {
      const leastCost = forms[ledger.table.cheapest[index]!]?.cost ?? 0;
      return { id, outcome: 'out', reason: ledger.refusals[index] ?? 'no-room', wholeCost, leastCost };
    }
    const cost = ledger.grants[index]!;
    const cut = cost < form.cost;
    chosen.push({ id, index, form: form.name, cost, cut });
    const unforced = form === forms[0] ? 'chosen' : 'smaller-form';
    const reason = cut ? 'cut' : part.protected ? 'protected' : unforced;
    return { id, outcome: 'in', form: form.name, cost, reason, wholeCost };
  });
  const overhead = ledger.request.partOverhead ?? 0;
  return { chosen, used: chosen.reduce((sum, { cost }) => sum + cost + overhead, 0), receipts };
}
