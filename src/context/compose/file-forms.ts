import type { ContextItem, ItemForm, ItemSource as ItemOrigin, LineSpan } from '../../model/context-pack.ts';
import type { RankedFile } from '../../model/ranking.ts';
import { signatureView } from '../../scan/parse/index.ts';
import { CHARACTERS_PER_TOKEN } from '../fit/index.ts';
import type { PackStrategy } from '../pack/index.ts';
import { formatOf, type RenderOptions, renderPiece } from '../render/index.ts';
import { excerptOf } from './excerpt.ts';
import type { ItemSource } from './source.ts';
import { excerptsOf, SMALL_FILE_LINES, WORTH_OF_A_WISH, worthwhileForms } from './worth.ts';

/** A file that may go into a package. */
export interface Candidate {
  readonly source: ItemSource;
  readonly ranked: RankedFile | null;
  readonly origin: ItemOrigin;
  /** The caller asked for it: it is left out only when nothing else is in. */
  readonly isAsked: boolean;
  /** The task names it. */
  readonly isNamed?: boolean;
  /** The only form that the caller wants. */
  readonly wantedForm?: ItemForm;
  /** How likely it is needed, relative to the others. */
  readonly need: number;
  readonly reason: string;
}

/** One way to show a candidate, with its price. */
export interface BuiltForm {
  /** `full`, `excerpt-3`: unique among the forms of a file. */
  readonly name: string;
  readonly item: ContextItem;
  readonly value: number;
}

/** A file with the forms it may take and their prices, best form first. */
export interface PricedFile {
  readonly candidate: Candidate;
  readonly forms: readonly BuiltForm[];
}

export interface FormOptions {
  readonly render: RenderOptions;
  readonly count: (text: string) => number;
  /** No form that costs more is of use. */
  readonly limit: number;
  /** Use the whole budget, in place of what is worth its tokens. */
  readonly fill: boolean;
}

/** The forms of a file that a fitter could choose. Computing the others would take most of the time. */
interface FormOffer {
  readonly whole: boolean;
  readonly signatures: boolean;
  /** How many sizes of excerpt, smallest first. */
  readonly excerpts: number;
}

/** Few characters make a token in text of any kind; a form with more cannot fit. */
const MAX_CHARACTERS_PER_TOKEN = 24;
/** A whole file that costs no more than this in place of its largest excerpt is the better choice. */
const CLOSE_TO_WHOLE = 1.1;
/** Minimum tokens of the line of one definition. */
const MIN_OF_A_SIGNATURE = 8;

/** Works out the forms that each file may take, and what each form costs in the text. */
export function priceFiles(
  candidates: readonly Candidate[],
  strategy: PackStrategy,
  options: FormOptions,
): PricedFile[] {
  if (strategy === 'value' && !options.fill) {
    const best = Math.max(0, ...candidates.map(({ ranked }) => ranked?.combinedScore ?? 0));
    return candidates.map((candidate) => {
      return {
        candidate,
        forms:
          wantedForms(candidate, options) ??
          worthwhileForms(candidate, formBuilder(candidate, options), best, options.limit),
      };
    });
  }
  const offers = offersFor(candidates, strategy, options.limit);
  return candidates.map((candidate, at) => ({
    candidate,
    forms: wantedForms(candidate, options) ?? formsOf(candidate, options, offers[at]!),
  }));
}

/** Nothing but the form that the caller wants, in several sizes if it is an excerpt. Null where none is wanted. */
function wantedForms(candidate: Candidate, options: FormOptions): BuiltForm[] | null {
  const { wantedForm: wanted } = candidate;
  if (wanted === undefined) return null;
  const build = formBuilder(candidate, options);
  if (wanted === 'excerpt') return excerptsOf(candidate, build);
  const form = wanted === 'full' ? build.whole(WORTH_OF_A_WISH) : build[wanted](WORTH_OF_A_WISH);
  return form === null ? [] : [form];
}

/** All forms of a candidate that could fit, best first. */
function formsOf(candidate: Candidate, options: FormOptions, offer: FormOffer): BuiltForm[] {
  const { source, need } = candidate;
  const build = formBuilder(candidate, options);
  const isSmall = source.lines.length <= SMALL_FILE_LINES;
  const full = offer.whole || isSmall ? build.whole(need) : null;
  const excerpts = isSmall ? [] : excerptForms(candidate, build, full, offer.excerpts);
  // signatures that cost more than an excerpt show less
  const most = offer.signatures ? Number.POSITIVE_INFINITY : (excerpts.at(-1)?.item.tokens ?? 0);
  const isOffered = source.symbols.length * MIN_OF_A_SIGNATURE < most || excerpts.length === 0;
  const signatures =
    !isSmall && source.symbols.length > 0 && isOffered
      ? build.signatures(need * usefulness('signatures'))
      : null;
  const mention = build.mention(need * usefulness('mention'));
  return [full, ...excerpts, signatures, mention].filter((form) => form !== null);
}

type Shown = Partial<ContextItem> & Pick<ContextItem, 'content' | 'lineRuns'>;

/** Makes the forms of one candidate, each with its price; null for a form that cannot fit. */
export interface Build {
  whole(value: number): BuiltForm | null;
  excerpt(name: string, shown: Shown, value: number): BuiltForm | null;
  signatures(value: number): BuiltForm | null;
  mention(value: number): BuiltForm | null;
}

function formBuilder({ source, ranked, origin, reason }: Candidate, options: FormOptions): Build {
  const { count, limit, render } = options;
  const base = {
    path: source.path,
    combinedScore: ranked?.combinedScore ?? 0,
    astScore: ranked?.astScore ?? 0,
    semanticScore: ranked?.semanticScore ?? 0,
    source: origin,
    symbols: source.isStale ? [] : (ranked?.symbols ?? []).map(({ name }) => name),
    spans: source.isStale ? [] : (ranked?.spans ?? []),
    language: source.language ?? '',
    reason,
  };
  const build = (name: string, form: ItemForm, shown: Shown, value: number): BuiltForm | null => {
    if (shown.content.length > limit * MAX_CHARACTERS_PER_TOKEN) return null;
    const item = priced({ ...base, form, tokens: 0, ...shown }, render, count);
    return item.tokens > limit ? null : { name, item, value };
  };
  return {
    whole: (value) => build('full', 'full', { content: source.text, lineRuns: wholeRun(source) }, value),
    excerpt: (name, shown, value) => build(name, 'excerpt', shown, value),
    signatures: (value) =>
      build('signatures', 'signatures', { content: signaturesOf(source), lineRuns: [] }, value),
    mention: (value) => build('mention', 'mention', { content: '', lineRuns: [] }, value),
  };
}

/** The item with what it costs. Where the text shows the price, the price is part of the cost. */
export function priced(
  item: ContextItem,
  render: RenderOptions,
  count: (text: string) => number,
): ContextItem {
  let tokens = count(renderPiece(item, render));
  if (formatOf(render).showsAccounts) tokens = count(renderPiece({ ...item, tokens }, render));
  return { ...item, tokens };
}

/** The excerpts of a file, without those that show no more than a smaller one and those that are nearly the whole file. */
function excerptForms(
  { source, ranked, need }: Candidate,
  build: Build,
  full: BuiltForm | null,
  sizes: number,
): BuiltForm[] {
  const forms: BuiltForm[] = [];
  let most = 0;
  for (const [at, { spans, symbols, covered }] of excerptPlans(source, ranked).entries()) {
    if (forms.length >= sizes) break;
    if (at > 0 && covered <= most) continue;
    const { content, lineRuns, shownLines } = excerptOf(source, spans, 'open');
    if (shownLines >= source.lines.length) break;
    const form = build.excerpt(
      `excerpt-${at}`,
      { content, lineRuns, spans, ...(symbols.length > 0 ? { symbols } : {}) },
      need * usefulness('excerpt', covered),
    );
    if (form === null) break;
    if (full !== null && form.item.tokens * CLOSE_TO_WHOLE >= full.item.tokens) break;
    most = covered;
    forms.unshift(form);
  }
  return forms;
}

function wholeRun({ lines }: ItemSource): ContextItem['lineRuns'] {
  return lines.length === 0 ? [] : [{ startLine: 1, count: lines.length }];
}

/** The headers of all definitions. */
export function signaturesOf({ text, lines, symbols, imports, language }: ItemSource): string {
  return signatureView(text, {
    language,
    lineCount: lines.length,
    symbols,
    imports,
    problem: null,
    hasSyntaxErrors: false,
  });
}

/** Lines to show, and which share of what matters they are. */
interface ExcerptPlan {
  readonly spans: readonly LineSpan[];
  readonly symbols: readonly string[];
  readonly covered: number;
}

/** Definitions that are longer are entered by their parts. */
const MAX_LENGTH = 150;
/** From a glance to everything that matters: how many definitions, and how much of each. */
const SIZES: readonly { readonly count: number; readonly lines: number }[] = [
  { count: 1, lines: 24 },
  { count: 1, lines: MAX_LENGTH },
  { count: 2, lines: 60 },
  { count: 3, lines: MAX_LENGTH },
  { count: 5, lines: MAX_LENGTH },
  { count: 8, lines: MAX_LENGTH },
  { count: 12, lines: MAX_LENGTH },
];
/** Where nothing is known about the lines, the beginning has to do; it says less than a place that was found. */
const BEGINNINGS = [30, 100, 300];
const WORTH_OF_BEGINNING = 0.5;

interface Weighted extends LineSpan {
  readonly name: string | null;
  readonly weight: number;
}

/** Several sizes of excerpt, smallest first, for the fitter to choose from. */
function excerptPlans(source: ItemSource, ranked: RankedFile | null): ExcerptPlan[] {
  const wanted = source.isStale ? [] : wantedSpans(ranked, source.lines.length);
  if (wanted.length === 0) return beginnings(source);
  const whole = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const planOf = (count: number, lines: number): ExcerptPlan => {
    const shown = wanted.slice(0, count);
    const covered = shown.reduce((sum, one) => sum + one.weight * Math.min(1, lines / lengthOf(one)), 0);
    return {
      spans: shown.map(({ startLine, endLine }) => ({
        startLine,
        endLine: Math.min(endLine, startLine + lines - 1),
      })),
      symbols: shown.flatMap(({ name }) => name ?? []),
      covered: covered / whole,
    };
  };
  return SIZES.map(({ count, lines }) => planOf(count, lines));
}

/** Definitions, and the lines that matter outside of them. */
function wantedSpans(ranked: RankedFile | null, lineCount: number): Weighted[] {
  if (ranked === null) return [];
  const symbols = ranked.symbols.map(({ name, score, startLine, endLine }): Weighted => {
    return { name, weight: score, startLine, endLine };
  });
  const isIn = (inner: LineSpan, outer: LineSpan) =>
    inner.startLine >= outer.startLine && inner.endLine <= outer.endLine;
  const passages = ranked.spans
    .filter((span) => !symbols.some((symbol) => isIn(span, symbol)))
    .map((span, at): Weighted => ({ ...span, name: null, weight: 1 / (at + 1) }));
  return [...symbols, ...passages]
    .filter(({ startLine, weight }) => startLine <= lineCount && weight > 0)
    .sort((one, other) => other.weight - one.weight || one.startLine - other.startLine);
}

function lengthOf({ startLine, endLine }: LineSpan): number {
  return endLine - startLine + 1;
}

function beginnings({ lines }: ItemSource): ExcerptPlan[] {
  return BEGINNINGS.filter((count) => count < lines.length).map((count) => ({
    spans: [{ startLine: 1, endLine: count }],
    symbols: [],
    covered: WORTH_OF_BEGINNING * Math.min(1, count / lines.length),
  }));
}

/** How useful a form is to a reader who needs the file, compared with the whole file. */
const FULL = 1;
const MAX_OF_AN_EXCERPT = 0.85;
/** Even a small excerpt shows where to look. */
const MIN_OF_AN_EXCERPT = 0.4;
const SIGNATURES = 0.3;
const MENTION = 0.04;

/**
 * Measured on 526 real changes: of the files at rank 1, 2.5, 5.5, 11, 23 and 47 a change touched 60, 15, 5, 1.1, 0.35
 * and 0.13 %. One over the rank times the score, relative to the best, to the power of one and a half comes close.
 */
const BY_RANK = 1.1;
const BY_SCORE = 1.5;
const NEED_OF_THE_FIRST = 0.6;

/** How likely the file at a rank (from 0) is needed. */
export function needOf(rank: number, combinedScore: number, bestScore: number): number {
  const closeness = bestScore > 0 ? Math.min(1, combinedScore / bestScore) : 0;
  return (NEED_OF_THE_FIRST * closeness ** BY_SCORE) / (rank + 1) ** BY_RANK;
}

/** The worth of a form to a reader who needs the file; `covered` is the share of the relevant lines that it shows. */
function usefulness(form: 'full' | 'excerpt' | 'signatures' | 'mention', covered = 1): number {
  if (form === 'full') return FULL;
  if (form === 'signatures') return SIGNATURES;
  if (form === 'mention') return MENTION;
  return MIN_OF_AN_EXCERPT + (MAX_OF_AN_EXCERPT - MIN_OF_AN_EXCERPT) * Math.min(1, covered);
}

/** A file takes more of the budget than this only if it is likely enough to be needed. */
const USUAL_SHARE = 0.05;
const SHARE_FOR_NEED = 1.5;
const FEW_SIZES = 2;
const SOME_SIZES = 4;
/** Above these a file gets more sizes of excerpt to choose from. */
const UNLIKELY = 0.01;
const LIKELY = 0.05;

/**
 * Which forms to work out for each candidate, in their order. Whole files are for those that may well be needed, for
 * small ones, and for as many of the first as the budget would hold if all were whole.
 */
function offersFor(candidates: readonly Candidate[], strategy: PackStrategy, budget: number): FormOffer[] {
  if (strategy !== 'value')
    return candidates.map(() => ({
      whole: strategy === 'relevance',
      signatures: true,
      excerpts: strategy === 'relevance' ? SOME_SIZES : 0,
    }));
  let all = 0;
  return candidates.map(({ source, need, isAsked }) => {
    const tokens = source.text.length / CHARACTERS_PER_TOKEN;
    all += tokens;
    const share = Math.max(USUAL_SHARE, Math.min(1, need * SHARE_FOR_NEED));
    const whole = isAsked || all <= budget || tokens <= budget * share;
    const excerpts = need < UNLIKELY && !isAsked ? FEW_SIZES : need < LIKELY ? SOME_SIZES : Infinity;
    return { whole, signatures: isAsked, excerpts };
  });
}
