import { createLedger, type Ledger } from './ledger.ts';
import type { Measure } from './measure.ts';
import type { ChosenPart, FitReceipt, FitRequest, FitResult, Part, PartForm } from './part.ts';
import { fitByRelevance, fitByValue, latestFirst, placeProtected } from './strategies.ts';

// The budget fitter. `fitParts` chooses by costs, `fitRendered` checks the choice against the rendered text, and
// `fitTexts` does both for texts that exist already.

/** Parts to fit, and how their text is rendered and counted. */
interface RenderedRequest extends FitRequest {
  /** The whole text for a choice. A part with `cut` must be cut down to its `cost`. */
  readonly render: (chosen: readonly ChosenPart[]) => string;
  /** Counts a text in the unit of the limit. */
  readonly count: (text: string) => number;
  /** Units that frame and costs count twice, such as a separator in front of the first part. */
  readonly overstated?: number;
}

interface RenderedFit extends FitResult {
  /** Never above the limit. Empty when not even the frame fits. */
  readonly text: string;
  /** The count of the text. */
  readonly used: number;
  /** The count of the text without any parts. */
  readonly frame: number;
}

/** Exact costs need one round. The others are for headings, separators and estimated costs. */
const MAX_ROUNDS = 8;

/** One choice with its rendered text. */
interface Attempt {
  readonly fit: FitResult;
  readonly text: string;
  readonly used: number;
}

/**
 * Fits parts so that the rendered text, headers and separators included, never exceeds the limit. The costs choose the
 * parts, and the count of the text decides: the difference between both corrects the limit of the next round.
 */
export function fitRendered(request: RenderedRequest): RenderedFit {
  const { limit, render, count, overstated = 0 } = request;
  const attemptAt = (target: number): Attempt => {
    const fit = fitParts({ ...request, limit: target });
    const text = render(fit.chosen);
    return { fit, text, used: count(text) };
  };
  const frame = count(render([]));
  if (frame > limit) return { ...fitNothing(request), text: '', used: 0, frame };

  // Search the largest target for the costs whose text still fits, between `fits` and `over`.
  let best: Attempt | undefined;
  let overrun: Attempt | undefined;
  let target = limit - frame + overstated;
  let fits = 0;
  let over = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const attempt = attemptAt(target);
    const slack = limit - attempt.used;
    let next = attempt.fit.used + slack;
    if (slack >= 0) {
      best = attempt;
      fits = target;
      // The fitter had this room already and found nothing more to take.
      if (next <= target || !couldGrow(attempt, slack)) break;
    } else {
      overrun = attempt;
      over = target;
    }
    if (next <= fits || next >= over) next = Math.floor((fits + over) / 2);
    if (next <= fits || next >= over) break;
    target = next;
  }
  if (best === undefined && overrun !== undefined) best = shed(request, overrun);
  return best === undefined
    ? { ...fitNothing(request), text: render([]), used: frame, frame }
    : { ...best.fit, text: best.text, used: best.used, frame };
}

/** Whether the slack could pay for a part that is out, cut or in a smaller form. */
function couldGrow({ fit }: Attempt, slack: number): boolean {
  if (slack === 0) return false;
  return fit.receipts.some((receipt) => {
    if (receipt.outcome === 'out') return receipt.reason === 'no-room' && receipt.leastCost <= slack;
    return receipt.reason === 'cut' || receipt.wholeCost > receipt.cost;
  });
}

/** The last resort when costs do not match the text: drops the least important parts until the text fits. */
function shed(request: RenderedRequest, { fit }: Attempt): Attempt | undefined {
  const { parts, limit, render, count } = request;
  const rank = ({ index }: ChosenPart) => parts[index]!;
  const droppable = [...fit.chosen].sort((one, other) => {
    const [left, right] = [rank(one), rank(other)];
    return (
      Number(left.protected ?? false) - Number(right.protected ?? false) ||
      left.priority - right.priority ||
      (left.id > right.id ? -1 : 1)
    );
  });
  let fewest = 1;
  let most = droppable.length;
  let found: Attempt | undefined;
  while (fewest <= most) {
    const dropped = Math.floor((fewest + most) / 2);
    const kept = without(fit, new Set(droppable.slice(0, dropped)), request.partOverhead ?? 0);
    const text = render(kept.chosen);
    const used = count(text);
    if (used <= limit) {
      found = { fit: kept, text, used };
      most = dropped - 1;
    } else fewest = dropped + 1;
  }
  return found;
}

/** The same fit without some parts. Their receipts say that the rendered text was too long. */
function without(fit: FitResult, dropped: ReadonlySet<ChosenPart>, partOverhead: number): FitResult {
  const gone = new Set([...dropped].map(({ index }) => index));
  const chosen = fit.chosen.filter(({ index }) => !gone.has(index));
  return {
    chosen,
    used: chosen.reduce((sum, { cost }) => sum + cost + partOverhead, 0),
    receipts: fit.receipts.map((receipt, index): FitReceipt => {
      if (!gone.has(index) || receipt.outcome === 'out') return receipt;
      const { id, wholeCost, cost } = receipt;
      return { id, outcome: 'out', reason: 'over-limit-when-rendered', wholeCost, leastCost: cost };
    }),
  };
}

/** The result when no part fits: every part has a receipt. */
function fitNothing(request: RenderedRequest): FitResult {
  const fit = fitParts({ ...request, limit: 0 });
  return without(fit, new Set(fit.chosen), request.partOverhead ?? 0);
}

/**
 * The one budget fitter. It chooses which parts go in and in which form, so that their costs never exceed the limit. The
 * order of the parts does not change the choice, and every part gets a receipt.
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
  return finish(ledger);
}

/** A wrong amount is a bug of the caller, so it throws. `NaN` is refused as well. */
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

/** The parts that may be chosen. The others get their reason here. */
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

/** Places protected parts, then runs the strategy for the others. */
function choose(ledger: Ledger, members: readonly number[]): void {
  const { parts, strategy } = ledger.request;
  const isProtected = (part: number) => parts[part]!.protected === true;
  placeProtected(ledger, members.filter(isProtected));
  const others = members.filter((part) => !isProtected(part));
  if (strategy.kind === 'value') fitByValue(ledger, others);
  else if (strategy.kind === 'relevance') fitByRelevance(ledger, others, strategy.forms);
  else latestFirst(ledger, others, strategy);
}

/** Turns the ledger into the result, with a receipt for each part. */
function finish(ledger: Ledger): FitResult {
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

/** A form whose text is known; its cost is counted. */
interface TextForm extends Omit<PartForm, 'cost'> {
  readonly text: string;
}

/** A part made of texts. */
export interface TextPart extends Omit<Part, 'forms'> {
  /** Best first. */
  readonly forms: readonly TextForm[];
}

interface TextsRequest extends Omit<FitRequest, 'parts' | 'partOverhead' | 'smallestCut'> {
  readonly parts: readonly TextPart[];
  readonly measure: Measure;
  /** Comes before all parts. */
  readonly header?: string;
  /** Comes between two parts. */
  readonly separator?: string;
  /** Ends a text that was cut, and is part of its cost. */
  readonly marker?: string;
}

interface FittedTexts extends RenderedFit {
  /** The chosen parts as the text shows them. */
  readonly texts: readonly { readonly id: string; readonly text: string }[];
}

/** Fits and joins texts that exist already, such as the sections of a prompt or the results of tools. */
export function fitTexts(request: TextsRequest): FittedTexts {
  const { parts, measure, header = '', separator = '\n\n', marker = '\n[truncated]' } = request;
  const textOf = ({ index, form, cut, cost }: ChosenPart): string => {
    const { text } = parts[index]!.forms.find(({ name }) => name === form)!;
    return cut ? measure.cut(text, cost, marker) : text;
  };
  const partOverhead = measure.count(separator);
  const fit = fitRendered({
    ...request,
    parts: parts.map((part) => ({
      ...part,
      forms: part.forms.map(({ text, ...form }) => ({ ...form, cost: measure.count(text) })),
    })),
    partOverhead,
    overstated: partOverhead,
    smallestCut: measure.count(marker) + 1,
    render: (chosen) => header + chosen.map(textOf).join(separator),
    count: measure.count,
  });
  return { ...fit, texts: fit.chosen.map((part) => ({ id: part.id, text: textOf(part) })) };
}
