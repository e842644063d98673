import { WORD_FIELD } from '../model/file-words.ts';
import type { LineSpan, RankedSymbol } from '../model/ranking.ts';
import type { SymbolDefinition } from '../model/symbol.ts';
import type { Gathered } from './evidence.ts';
import { eachOccurrence } from './term-hits.ts';

/** What a matching line counts by where the word stands. */
const FIELD_GAIN: Readonly<Record<number, number>> = {
  [WORD_FIELD.code]: 1,
  [WORD_FIELD.comment]: 0.8,
  [WORD_FIELD.string]: 1,
  [WORD_FIELD.definition]: 4,
};
/** A name that the task mentions outweighs any number of matching lines. */
const MENTIONED = 30;
/** A second match of the same term in the same lines says little. */
const REPEAT = 0.35;
const MOST_SYMBOLS = 12;
const SMALLEST_SCORE = 0.15;
/** A symbol longer than this is entered only by its parts. */
const LONGEST_WHOLE = 150;
const PASSAGE_LINES = 40;

export interface RankedLines {
  readonly symbols: readonly RankedSymbol[];
  readonly spans: readonly LineSpan[];
}

/** For some files: the definitions and lines that the task seems to need. */
export function rankSymbols(gathered: Gathered, files: readonly number[]): ReadonlyMap<number, RankedLines> {
  const gains = lineGains(gathered, new Set(files.map((file) => gathered.corpus.twinOf[file]!)));
  const mentioned = mentionedSymbols(gathered);
  const ranked = new Map<number, RankedLines>();
  for (const file of files) {
    const twin = gathered.corpus.twinOf[file]!;
    const { index } = gathered.corpus;
    const entry = index.snapshot.files[file]!;
    const symbols = twin < 0 ? [] : index.segmentOf(entry).symbols(entry.document);
    ranked.set(file, rankLines(symbols, gains.get(twin) ?? new Map(), mentioned.get(twin) ?? new Map()));
  }
  return ranked;
}

/** By file and line: what the terms that stand there are worth. */
function lineGains(
  { corpus, terms }: Gathered,
  wanted: ReadonlySet<number>,
): Map<number, Map<number, number>> {
  const gains = new Map<number, Map<number, number>>();
  for (const { words, gain } of terms) {
    const seen = new Map<number, number>();
    eachOccurrence(corpus, words, (file, weight, _count, positions, kept) => {
      if (!wanted.has(file)) return;
      let lines = gains.get(file);
      if (!lines) {
        lines = new Map();
        gains.set(file, lines);
      }
      let times = seen.get(file) ?? 0;
      for (let at = 0; at < kept; at++) {
        const line = positions[at]! >>> 2;
        const worth = (gain * weight * FIELD_GAIN[positions[at]! & 3]!) / (1 + REPEAT * times++);
        lines.set(line, (lines.get(line) ?? 0) + worth);
      }
      seen.set(file, times);
    });
  }
  return gains;
}

/** By file: definitions whose very name the task mentions, with the weight of the mention. */
function mentionedSymbols({ mentioned }: Gathered): Map<number, Map<number, number>> {
  const byFile = new Map<number, Map<number, number>>();
  for (const { weight, definers } of mentioned)
    for (const { file, symbol } of definers) {
      const known = byFile.get(file) ?? new Map<number, number>();
      known.set(symbol, Math.max(known.get(symbol) ?? 0, weight / Math.sqrt(definers.length)));
      byFile.set(file, known);
    }
  return byFile;
}

function rankLines(
  symbols: readonly SymbolDefinition[],
  gains: ReadonlyMap<number, number>,
  mentioned: ReadonlyMap<number, number>,
): RankedLines {
  const lines = [...gains.keys()].sort((a, b) => a - b);
  const sums = [0];
  for (const line of lines) sums.push(sums.at(-1)! + gains.get(line)!);
  const between = (first: number, last: number) =>
    sums[firstAfter(lines, last)]! - sums[firstAfter(lines, first - 1)]!;
  const scored = symbols
    .map((symbol, at) => {
      const length = symbol.endLine - symbol.startLine + 1;
      const text = between(symbol.startLine, symbol.endLine) / Math.sqrt(8 + length);
      return { symbol, at, score: text + MENTIONED * (mentioned.get(at) ?? 0) };
    })
    .filter(({ score, symbol }) => score > 0 && symbol.endLine - symbol.startLine < LONGEST_WHOLE)
    .sort((a, b) => b.score - a.score || a.symbol.start - b.symbol.start);
  const most = scored[0]?.score ?? 0;
  const chosen = withoutNested(scored.filter(({ score }) => score >= most * SMALLEST_SCORE)).slice(
    0,
    MOST_SYMBOLS,
  );
  const ranked = chosen.map(({ symbol, at, score }) => ({
    name: qualifiedName(symbols, at),
    startLine: symbol.startLine,
    endLine: symbol.endLine,
    score: Math.round((score / most) * 1000) / 1000,
  }));
  const spans = ranked.map(({ startLine, endLine }) => ({ startLine, endLine }));
  return { symbols: ranked, spans: spans.length > 0 ? spans : bestPassage(lines, between) };
}

/** Of a definition and one inside it, the better stays. */
function withoutNested<Scored extends { readonly symbol: SymbolDefinition }>(
  scored: readonly Scored[],
): Scored[] {
  const kept: Scored[] = [];
  for (const one of scored) {
    const overlaps = kept.some(
      ({ symbol }) => symbol.start < one.symbol.end && one.symbol.start < symbol.end,
    );
    if (!overlaps) kept.push(one);
  }
  return kept;
}

function qualifiedName(symbols: readonly SymbolDefinition[], at: number): string {
  const names: string[] = [];
  for (let one = at; one >= 0 && names.length < 4; one = symbols[one]!.container)
    names.unshift(symbols[one]!.name);
  return names.join('.');
}

/** A file without definitions: the stretch of lines with the most to it. */
function bestPassage(lines: readonly number[], between: (first: number, last: number) => number): LineSpan[] {
  let best: LineSpan | null = null;
  let most = 0;
  for (const line of lines) {
    const worth = between(line, line + PASSAGE_LINES);
    if (worth <= most) continue;
    most = worth;
    best = { startLine: Math.max(1, line - 3), endLine: line + PASSAGE_LINES };
  }
  return best ? [best] : [];
}

/** How many of the sorted lines are at or before `line`. */
function firstAfter(lines: readonly number[], line: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]! <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}
