import { cutToCharacters, type Measure, unitsPerToken } from '../fit/index.ts';
import { OVER_BUDGET_WARNING, OVERHEAD_WARNING } from './prompt-limits.ts';
import {
  FILE_CONTEXT_PRIORITY,
  HEAD_SHARE,
  largest,
  MAX_CHARACTERS_PER_UNIT,
  PROTECTED_KEYS,
  type PromptPart,
  priorityOrder,
  type Shown,
  type SourcePart,
} from './prompt-parts.ts';

// Fits the parts of a prompt into its limit. Unlike the files of a package, parts have an order of importance and can
// shrink to any size, so they share the room instead of competing for it.

/** The parts to fit, and the limit. */
export interface FitPromptRequest {
  /** In the order of the text. */
  readonly parts: readonly SourcePart[];
  /** The role's `priority_order`. */
  readonly roleOrder: readonly string[];
  /** Of the rendered text, in the unit of `measure`. */
  readonly limit: number;
  readonly measure: Measure;
  /** Puts the parts into the template. Without it, the parts alone are the prompt. */
  readonly render?: (context: string) => string;
  /** Parts that may be shortened but never left out, such as the output of a failed gate. */
  readonly keep?: ReadonlySet<string>;
}

/** The finished prompt. */
export interface FittedPrompt {
  /** The rendered text. */
  readonly text: string;
  /** The parts that are in, by key, as they are shown. */
  readonly shown: ReadonlyMap<string, Shown>;
  readonly parts: readonly PromptPart[];
  /** The protected parts alone exceed the limit. */
  readonly isOver: boolean;
}

/**
 * The largest share of the remaining room that a part may take while less important parts need the rest. A part that
 * is not listed gets the usual share.
 */
const SHARES: ReadonlyMap<string, number> = new Map([
  ['target_file', 0.9],
  ['git_diff', 0.6],
  ['tree', 1],
]);
const USUAL_SHARE = 0.5;
/** Whole lines that use less than this share of the room are replaced by a cut inside of lines. */
const POOR_USE = 0.5;
/** The kept parts together always have this room, even if the budget is smaller. */
const MIN_KEPT_TOKENS = 400;
/** A smaller rest is not worth another attempt. */
const MIN_REST = 50;
/** Attempts to correct the difference between the parts and the rendered text. */
const MAX_ROUNDS = 4;
const SEPARATOR = '\n\n';

interface Sized {
  readonly part: SourcePart;
  /** Its size with a separator; infinite for a text that is far too long to be counted. */
  readonly need: number;
}

/**
 * Fits the parts into the limit. They share the room in the order of their importance, and room that a part cannot use
 * goes to the others. No part is left out that would still fit.
 */
export function fitPrompt(request: FitPromptRequest): FittedPrompt {
  const { parts, limit, measure, keep = new Set<string>(), render = (context) => context } = request;
  const count = (shown: ReadonlyMap<string, Shown>) => measure.count(render(contextOf(parts, shown)));
  const required = requiredParts(request);
  const isOptional = ({ key }: SourcePart) => !PROTECTED_KEYS.has(key) && !keep.has(key);
  const result = (shown: ReadonlyMap<string, Shown>, context: string, isOver = false): FittedPrompt => ({
    text: render(context),
    shown,
    parts: parts.map((part): PromptPart => {
      const { key, whole } = part;
      const now = shown.get(key);
      const state = now === undefined ? 'pruned' : isOptional(part) ? 'in' : 'protected';
      const text = now?.text ?? whole.text;
      const isCountable = text.length <= limit * MAX_CHARACTERS_PER_UNIT || now !== undefined;
      // An estimate is enough for a text that is far too long.
      const tokens = isCountable ? measure.count(text) : text.length / (4 / unitsPerToken(measure));
      return { key, state, tokens: Math.ceil(tokens), files: now?.files ?? [] };
    }),
    isOver,
  });

  // The required parts come first. If they alone are over the limit, the prompt says so.
  const requiredText = join([...required.values()]);
  if (requiredText === '' && measure.count(render('')) >= limit)
    return result(required, OVERHEAD_WARNING, measure.count(render(OVERHEAD_WARNING)) > limit);
  if (measure.count(render(requiredText)) > limit)
    return result(required, [requiredText, OVER_BUDGET_WARNING].filter(Boolean).join(SEPARATOR), true);

  // If everything fits, nothing has to shrink.
  const optional = byImportance(parts.filter(isOptional), request.roleOrder).map((part): Sized => {
    const isCountable = part.whole.text.length <= limit * MAX_CHARACTERS_PER_UNIT;
    const need = isCountable ? measure.count(SEPARATOR + part.whole.text) : Number.POSITIVE_INFINITY;
    return { part, need };
  });
  const all = new Map(parts.map((part) => [part.key, required.get(part.key) ?? part.whole]));
  if (optional.every(({ need }) => need <= limit) && count(all) <= limit)
    return result(all, contextOf(parts, all));

  // Share the room, use the rest, then bring back important parts in place of less important ones.
  const room: Room = { limit, measure, count };
  const shared = useRest(optional, share(required, optional, room), room);
  const shown = useRest(optional, inOrder(optional, required, shared, room), room);
  // The line that says what is missing may not fit.
  const context = contextOf(parts, shown);
  const isFitting = measure.count(render(context)) <= limit;
  return result(shown, isFitting ? context : requiredText);
}

/** The parts that are always in. A part to keep is shortened rather than left out. */
function requiredParts({ parts, limit, measure, keep, render = (context) => context }: FitPromptRequest) {
  const isProtected = ({ key }: SourcePart) => PROTECTED_KEYS.has(key);
  const required = new Map(parts.filter(isProtected).map(({ key, whole }) => [key, whole]));
  const left = limit - measure.count(render(join([...required.values()]) + SEPARATOR));
  let room = Math.floor(Math.max(left * USUAL_SHARE, MIN_KEPT_TOKENS * unitsPerToken(measure)));
  // The shortest first: the part of its equal share that it does not need goes to the others.
  const kept = parts.filter(({ key }) => keep?.has(key));
  kept.sort((one, other) => one.whole.text.length - other.whole.text.length);
  for (const [at, { key, whole, shrink }] of kept.entries()) {
    const share = Math.floor(room / (kept.length - at));
    const isWhole =
      whole.text.length <= share * MAX_CHARACTERS_PER_UNIT && measure.count(whole.text) <= share;
    const shown = isWhole ? whole : shorten(whole, shrink(share, measure), share, measure);
    required.set(key, shown);
    room -= measure.count(shown.text);
  }
  return required;
}

/** Prefers whole lines. If these are so long that most of the room stays empty, it cuts inside of a line. */
function shorten({ text, files }: Shown, lines: Shown | null, room: number, measure: Measure): Shown {
  if (lines !== null && measure.count(lines.text) >= room * POOR_USE) return lines;
  const cut = (count: number): string => {
    const head = cutToCharacters(text, Math.ceil(count * HEAD_SHARE));
    const tail = text.slice(text.length - count + head.length).replace(/^[\udc00-\udfff]/, '');
    return `${head}\n[Truncated ${text.length - count} characters]\n${tail}`;
  };
  const longest = Math.min(text.length - 1, room * MAX_CHARACTERS_PER_UNIT);
  const count = largest(longest, (count) => measure.count(cut(count)) <= room);
  return { text: cut(count), files };
}

interface Room {
  readonly limit: number;
  readonly measure: Measure;
  /** The size of the whole text with these parts. */
  readonly count: (shown: ReadonlyMap<string, Shown>) => number;
}

/** Adds parts to the given ones, so that the whole text fits. */
function share(base: ReadonlyMap<string, Shown>, parts: readonly Sized[], room: Room): Map<string, Shown> {
  let left = room.limit - room.count(base);
  for (let round = 0; round < MAX_ROUNDS && left > 0; round += 1) {
    const attempt = new Map([...base, ...shareRoom(parts, left, room.measure)]);
    const over = room.count(attempt) - room.limit;
    if (over <= 0) return attempt;
    left -= over;
  }
  return new Map(base);
}

/**
 * Brings back each part that was left out although it would fit if less important parts gave up their room. Those parts
 * then share what is left.
 */
function inOrder(
  parts: readonly Sized[],
  required: ReadonlyMap<string, Shown>,
  fitted: ReadonlyMap<string, Shown>,
  room: Room,
): Map<string, Shown> {
  let shown = new Map(fitted);
  for (const [at, { part }] of parts.entries()) {
    const below = parts.slice(at + 1);
    if (shown.has(part.key) || !below.some((other) => shown.has(other.part.key))) continue;
    const base = new Map(required);
    for (const { part: above } of parts.slice(0, at))
      if (shown.has(above.key)) base.set(above.key, shown.get(above.key)!);
    const own = alone(base, part, room);
    if (own !== null) shown = share(new Map(base).set(part.key, own), below, room);
  }
  return shown;
}

/** A part with nothing less important beside it: within its usual share if possible, else with all the room it needs. */
function alone(
  base: ReadonlyMap<string, Shown>,
  { key, whole, shrink }: SourcePart,
  room: Room,
): Shown | null {
  const { limit, measure, count } = room;
  const left = limit - count(new Map(base).set(key, { text: '', files: [] }));
  if (left <= 0) return null;
  const usual = Math.floor(left * (SHARES.get(key) ?? USUAL_SHARE));
  for (const form of [() => shrink(usual, measure), () => shrink(left, measure), () => whole]) {
    const shown = form();
    if (shown !== null && count(new Map(base).set(key, shown)) <= limit) return shown;
  }
  return null;
}

/** Gives each part its share of the room, the most important first. A part is whole if its share is enough. */
function shareRoom(parts: readonly Sized[], room: number, measure: Measure): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  const separator = measure.count(SEPARATOR);
  let left = room;
  for (const [at, { part, need }] of parts.entries()) {
    const below = parts.slice(at + 1).reduce((sum, other) => sum + other.need, 0);
    const most = Math.max(left * (SHARES.get(part.key) ?? USUAL_SHARE), left - below);
    const inPart = () => part.shrink(Math.floor(most) - separator, measure);
    // A part that cannot shrink takes what it needs, because it is more important than those below it.
    const taken = need <= most ? part.whole : (inPart() ?? (need <= left ? part.whole : null));
    if (taken === null) continue;
    shown.set(part.key, taken);
    left -= taken === part.whole ? need : measure.count(SEPARATOR + taken.text);
  }
  return shown;
}

/** Gives the rest of the room to parts that are not whole, the most important first. */
function useRest(
  parts: readonly Sized[],
  fitted: ReadonlyMap<string, Shown>,
  { limit, count, measure }: Room,
): Map<string, Shown> {
  let shown = new Map(fitted);
  let rest = limit - count(shown);
  // The line that names missing parts gets shorter with each part, so the exact count decides.
  const line = measure.count(SEPARATOR + leftOut(parts.map(({ part }) => part.key)));
  const take = (key: string, one: Shown): boolean => {
    const more = new Map(shown).set(key, one);
    const left = limit - count(more);
    if (left < 0) return false;
    shown = more;
    rest = left;
    return true;
  };
  const usedBy = (key: string) => measure.count(shown.get(key)?.text ?? '');
  const mayBeWhole = ({ part, need }: Sized) =>
    shown.get(part.key) !== part.whole && need - usedBy(part.key) <= rest + line + MIN_REST;
  const takeWhole = () => parts.some((one) => mayBeWhole(one) && take(one.part.key, one.part.whole));
  for (const { part } of parts) {
    while (takeWhole());
    if (rest < MIN_REST) break;
    if (shown.get(part.key) === part.whole) continue;
    const used = usedBy(part.key);
    const larger = part.shrink(used + rest - measure.count(SEPARATOR), measure);
    if (larger !== null && measure.count(larger.text) > used) take(part.key, larger);
  }
  while (takeWhole());
  return shown;
}

function byImportance(parts: readonly SourcePart[], roleOrder: readonly string[]): SourcePart[] {
  const order = priorityOrder(roleOrder, [...FILE_CONTEXT_PRIORITY, ...parts.map(({ key }) => key)]);
  const placeOf = ({ key }: SourcePart) => (order.includes(key) ? order.indexOf(key) : order.length);
  return [...parts].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The parts in the order of the text. The last line names the parts that are left out. */
function contextOf(parts: readonly SourcePart[], shown: ReadonlyMap<string, Shown>): string {
  const out = parts.flatMap(({ key }) => (shown.has(key) ? [] : [key]));
  const notice = out.length === 0 ? [] : [{ text: leftOut(out) }];
  return join([...parts.flatMap(({ key }) => shown.get(key) ?? []), ...notice]);
}

const leftOut = (keys: readonly string[]): string => `[Left out for the token budget: ${keys.join(', ')}]`;

function join(shown: readonly { readonly text: string }[]): string {
  return shown.map(({ text }) => text).join(SEPARATOR);
}
