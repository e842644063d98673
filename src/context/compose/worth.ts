// The forms of a file in a package that holds what a task needs, and what each is worth. Worth and price have the same
// unit: the chance that the form shows lines that a change for the task touches. A form that costs more than it is
// worth stays out, so a package ends when the rest would not help.

import type { LineSpan } from '../../model/context-pack.ts';
import type { RankedSymbol } from '../../model/ranking.ts';
import { docsInside, longDocs } from '../../model/symbol.ts';
import { CHARACTERS_PER_TOKEN } from '../fit/index.ts';
import { excerptOf } from './excerpt.ts';
import type { Build, BuiltForm, Candidate, PricedFile } from './file-forms.ts';
import type { ItemSource } from './source.ts';

/** The price of a token. At a lower price a package gains more noise than changed lines. */
const PRICE_OF_A_TOKEN = 0.75e-5;
/** Where room is short, in a small budget or a full one, a place that may matter takes the room of one that does. */
const PRICE_WHERE_ROOM_IS_SHORT = 1e-5;
const SMALL_BUDGET = 8_000;
/** In a small budget that is full, a token costs up to this many times as much: the smaller, the dearer. */
const DEAREST = 4;

const priceIn = (budget: number): number =>
  budget > SMALL_BUDGET ? PRICE_OF_A_TOKEN : PRICE_WHERE_ROOM_IS_SHORT;

/** The same files at the price of a budget that is too small for all that is worth its tokens. */
export function atTightPrice(files: readonly PricedFile[], budget: number): PricedFile[] {
  const times = Math.min(DEAREST, Math.max(1, SMALL_BUDGET / budget));
  const more = PRICE_WHERE_ROOM_IS_SHORT * times - priceIn(budget);
  return files.map(({ candidate, forms }) => ({
    candidate,
    forms: forms.map((form) => ({ ...form, value: form.value - more * form.item.tokens })),
  }));
}

/** A form that the caller wants comes before everything that is only likely: a likelihood is at most 1. */
export const WORTH_OF_A_WISH = 100;

/** Of the need of a file: to see any place of it that matters, and to see the lines that no place covers. */
const ANY_PLACE = 0.05;
const REST_OF_FILE = 0.2;
/** Of the need: the headers of all definitions, the name of the file, and its beginning where no place is known. */
const SIGNATURES = 0.15;
const MENTION = 0.04;
const BEGINNING = 0.3;

/** A file below this share of the best score is never whole. */
const WHOLE_FROM = 0.85;
/** The most tokens of a whole file and of an excerpt. They fall with the square of the score, relative to the best. */
const MAX_WHOLE = 16_000;
const MAX_EXCERPT = 8_000;
/** One file may have no more of a budget than this, because the change may be in another. A few thousand are allowed. */
const MAX_SHARE = 0.45;
const ALWAYS_ALLOWED = 3_500;
/** An excerpt of a weak match may still have this many. */
const SMALL_EXCERPT = 300;
/** A smaller file is shown whole. */
export const SMALL_FILE_LINES = 12;
/** Definitions that are longer are cut. */
const MAX_LINES = 150;
/** The smallest excerpt shows this much of the best place. */
const GLANCE_LINES = 24;
/** Of two places that are as likely, the shorter comes first; a longer one has to be likelier by this power. */
const BY_LENGTH = 0.35;
/** Where no place is known. */
const BEGINNING_LINES = 40;

/** Lines of a file with the chance that a change touches them. */
interface Place extends LineSpan {
  readonly name: string | null;
  readonly likelihood: number;
}

/** The forms of a candidate that are worth their tokens, most first. A mention is always among them. */
export function worthwhileForms(
  candidate: Candidate,
  build: Build,
  bestScore: number,
  budget: number,
): BuiltForm[] {
  const { source, need, ranked, isAsked } = candidate;
  const share = isAsked || ranked === null || bestScore === 0 ? 1 : ranked.combinedScore / bestScore;
  const limits: Limits = {
    share,
    most: isAsked ? Number.POSITIVE_INFINITY : Math.max(ALWAYS_ALLOWED, budget * MAX_SHARE),
    price: priceIn(budget),
  };
  const forms = mayShow(candidate)
    ? [...wholeForm(candidate, build, limits), ...excerptForms(candidate, build, limits)]
    : [];
  const headers = source.symbols.length > 0 && forms.length === 0 && mayShow(candidate);
  const signatures = headers ? build.signatures(need * SIGNATURES) : null;
  const mention = build.mention(need * MENTION);
  // The value after the tokens are paid for. The fitter takes nothing whose value is 0 or less.
  return [...forms, signatures, mention]
    .filter((form) => form !== null)
    .map((form) => ({ ...form, value: form.value - limits.price * form.item.tokens }));
}

/** Generated, vendored and data files need a reason of their own: the task names them, or something in them. */
function mayShow({ source: { file }, ranked, isAsked, isNamed = false }: Candidate): boolean {
  if (file === null || ranked === null || isAsked || isNamed) return true;
  const { role, generated, vendored } = file.classification;
  if (role !== 'data' && !generated && !vendored) return true;
  return ranked.symbols.some(({ isMentioned }) => isMentioned);
}

/** The limits on the forms of a candidate. */
interface Limits {
  /** Its score, relative to the best. */
  readonly share: number;
  /** Tokens of any form of it. */
  readonly most: number;
  /** Of a token. */
  readonly price: number;
}

function wholeForm(
  { source, need, ranked, isAsked }: Candidate,
  build: Build,
  { share, most }: Limits,
): BuiltForm[] {
  const isSmall = source.lines.length <= SMALL_FILE_LINES;
  if (!isSmall && !isAsked) {
    if (share < WHOLE_FROM) return [];
    if (estimate(source.text.length) > Math.min(most, MAX_WHOLE * share ** 2)) return [];
  }
  const places = [...(ranked?.symbols ?? []), ...(ranked?.blocks ?? [])];
  const likelihoods = places.reduce((sum, { likelihood }) => sum + likelihood, 0);
  const form = build.whole(ranked === null ? need : likelihoods + need * (ANY_PLACE + REST_OF_FILE));
  return form === null ? [] : [form];
}

/** The excerpts of a file that a caller wants as an excerpt, whatever it is worth. */
export function excerptsOf(candidate: Candidate, build: Build): BuiltForm[] {
  const wanted = { ...candidate, isAsked: true };
  const limits = { share: 1, most: Number.POSITIVE_INFINITY, price: PRICE_OF_A_TOKEN };
  return excerptForms(wanted, build, limits).map((form) => ({
    ...form,
    value: WORTH_OF_A_WISH + form.value - PRICE_OF_A_TOKEN * form.item.tokens,
  }));
}

/** From a glance at the best place to all places that are worth their tokens, largest first. */
function excerptForms(
  { source, need, ranked, isAsked }: Candidate,
  build: Build,
  { share, most, price }: Limits,
): BuiltForm[] {
  if (source.lines.length <= SMALL_FILE_LINES) return [];
  const places = placesOf({ source, need, ranked }, price);
  const largest = Math.max(SMALL_EXCERPT, Math.min(most, isAsked ? most : MAX_EXCERPT * share ** 2));
  const forms: BuiltForm[] = [];
  for (const [at, chosen] of ladderOf(places, longDocs(source.symbols)).entries()) {
    const { content, lineRuns, shownLines } = excerptOf(source, chosen, 'closed');
    if (shownLines >= source.lines.length) break;
    const likelihood = chosen.reduce((sum, place) => sum + place.likelihood, 0);
    const spans = chosen.map(({ startLine, endLine }) => ({ startLine, endLine }));
    const symbols = chosen.flatMap(({ name }) => name ?? []);
    const form = build.excerpt(
      `excerpt-${at}`,
      { content, lineRuns, spans, ...(symbols.length > 0 ? { symbols } : {}) },
      need * ANY_PLACE + likelihood,
    );
    if (form === null || (at > 0 && form.item.tokens > largest)) break;
    forms.unshift(form);
  }
  return forms;
}

/** Sets of places, each larger than the one before. */
function ladderOf(places: readonly Place[], docs: readonly LineSpan[]): Place[][] {
  const [first] = places;
  if (first === undefined) return [];
  const glance = cutTo(first, GLANCE_LINES, docs);
  const steps = places.map((_, at) => places.slice(0, at + 1));
  return glance === first ? steps : [[glance], ...steps];
}

/** The definitions of a file that may be worth their tokens, else the lines that matter, else its beginning. */
function placesOf(
  { source, need, ranked }: Pick<Candidate, 'source' | 'need' | 'ranked'>,
  price: number,
): Place[] {
  if (ranked === null || source.isStale) return [beginningOf(source, need)];
  const lineCount = source.lines.length;
  const docs = longDocs(source.symbols);
  const symbols = ranked.symbols.map(({ name, startLine, endLine, likelihood }: RankedSymbol): Place => {
    return cutTo({ name, startLine, endLine, likelihood }, MAX_LINES, docs);
  });
  const blocks = ranked.blocks.map(({ startLine, endLine, likelihood }): Place => {
    return { name: null, startLine, endLine, likelihood };
  });
  const isCovered = (span: LineSpan) => {
    return [...symbols, ...blocks].some(
      ({ startLine, endLine }) => span.startLine <= endLine && span.endLine >= startLine,
    );
  };
  const passages = ranked.spans
    .filter((span) => !isCovered(span))
    .map((span): Place => ({ ...span, name: null, likelihood: need * BEGINNING }));
  const places = [...symbols, ...blocks, ...passages].filter(({ startLine }) => startLine <= lineCount);
  if (places.length === 0) return [beginningOf(source, need)];
  const tokens = new Map(places.map((place) => [place, tokensOf(source, place, docs)]));
  const density = new Map(places.map((place) => [place, place.likelihood / tokens.get(place)! ** BY_LENGTH]));
  const [best, ...others] = places.sort(
    (one, other) => density.get(other)! - density.get(one)! || one.startLine - other.startLine,
  );
  return [best!, ...others.filter((place) => place.likelihood > price * tokens.get(place)!)];
}

function beginningOf({ lines }: ItemSource, need: number): Place {
  return {
    name: null,
    startLine: 1,
    endLine: Math.min(lines.length, BEGINNING_LINES),
    likelihood: need * BEGINNING,
  };
}

/** The beginning of a place. The lines of long doc comments are not counted, because they are not shown. */
function cutTo(place: Place, lines: number, docs: readonly LineSpan[]): Place {
  const inside = docsInside(docs, place);
  const hidden = inside.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0);
  const length = place.endLine - place.startLine + 1 - hidden;
  if (length <= lines) return place;
  let endLine = place.startLine + lines - 1;
  for (const doc of inside) if (doc.startLine <= endLine) endLine += doc.endLine - doc.startLine + 1;
  return { ...place, endLine, likelihood: (place.likelihood * lines) / length };
}

/** An estimate; what a place opens beside its lines is part of it. */
function tokensOf({ lines }: ItemSource, place: LineSpan, docs: readonly LineSpan[]): number {
  const charactersOf = ({ startLine, endLine }: LineSpan) =>
    lines.slice(startLine - 1, endLine).reduce((sum, line) => sum + line.length + 1, 0);
  const hidden = docsInside(docs, place).reduce((sum, doc) => sum + charactersOf(doc), 0);
  return estimate(120 + charactersOf(place) - hidden);
}

const estimate = (characters: number): number => characters / CHARACTERS_PER_TOKEN;
