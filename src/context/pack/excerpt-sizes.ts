import type { LineSpan } from '../../model/context-pack.ts';
import type { RankedFile } from '../../model/ranking.ts';
import type { ItemSource } from './item-source.ts';

/** Lines to show, and which share of what matters they are. */
export interface ExcerptPlan {
  readonly spans: readonly LineSpan[];
  readonly symbols: readonly string[];
  readonly covered: number;
}

/** Definitions that are longer are entered by their parts. */
const LONGEST = 150;
/** From a glance to everything that matters: how many definitions, and how much of each. */
const SIZES: readonly { readonly count: number; readonly lines: number }[] = [
  { count: 1, lines: 24 },
  { count: 1, lines: LONGEST },
  { count: 2, lines: 60 },
  { count: 3, lines: LONGEST },
  { count: 5, lines: LONGEST },
  { count: 8, lines: LONGEST },
  { count: 12, lines: LONGEST },
];
/** Where nothing is known about the lines, the beginning has to do; it says less than a place that was found. */
const BEGINNINGS = [30, 100, 300];
const WORTH_OF_BEGINNING = 0.5;

interface Weighted extends LineSpan {
  readonly name: string | null;
  readonly weight: number;
}

/** Several sizes of excerpt, smallest first, for the fitter to choose from. */
export function excerptPlans(source: ItemSource, ranked: RankedFile | null): ExcerptPlan[] {
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
