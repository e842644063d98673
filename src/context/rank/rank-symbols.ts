import { WORD_FIELD } from '../../model/file-words.ts';
import { DOCUMENT } from '../../model/index-view.ts';
import type { LineSpan, RankedSymbol } from '../../model/ranking.ts';
import type { SymbolDefinition } from '../../model/symbol.ts';
import { type RankingContext, strongestTerms } from './ranking-context.ts';
import { eachOccurrence } from './search-words.ts';
import { mentionedIn } from './signals/name-signals.ts';

/** What a word counts, by its field. */
const FIELD_GAIN: Readonly<Record<number, number>> = {
  [WORD_FIELD.code]: 1,
  [WORD_FIELD.comment]: 0.8,
  [WORD_FIELD.string]: 1,
  [WORD_FIELD.definition]: 3,
};
/** BM25 over the definitions of a file, found on changes of public repositories: which lines did they touch? */
const SATURATION = 1;
const LENGTH_SHARE = 0.75;
const USUAL_LINES = 25;
/** A value on one line names more than it does. */
const ONE_LINE = 0.7;
/** A name that the task mentions outweighs any number of matching lines. */
const MENTIONED = 2;
/** Further terms are common words: they take most of the time and change nothing. */
const MAX_TERMS = 60;
const MAX_SYMBOLS = 12;
const SMALLEST_SCORE = 0.15;

interface RankedLines {
  readonly symbols: readonly RankedSymbol[];
  readonly spans: readonly LineSpan[];
  /** Names of all definitions of the file. */
  readonly names: readonly string[];
}

/** For some files: the definitions and lines that the task seems to need. */
export function rankSymbols(
  context: RankingContext,
  files: readonly number[],
): ReadonlyMap<number, RankedLines> {
  const { corpus } = context;
  const { index, twinOf } = corpus;
  const tables = new Map<number, UnitTable>();
  for (const file of files) {
    const { segment, document } = index.snapshot.files[file]!;
    if (segment < 0 || tables.has(twinOf[file]!)) continue;
    tables.set(twinOf[file]!, new UnitTable(index.segment(segment).symbols(document)));
  }
  countTerms(context, tables);
  const mentioned = mentionedSymbols(context);
  const ranked = new Map<number, RankedLines>();
  for (const file of files) {
    const { segment, document } = index.snapshot.files[file]!;
    const table = tables.get(twinOf[file]!);
    const symbols = table?.ranked(mentioned.get(twinOf[file]!) ?? new Map()) ?? [];
    const spans = symbols.map(({ startLine, endLine }) => ({ startLine, endLine }));
    const lineCount = segment < 0 ? 0 : index.segment(segment).document(document, DOCUMENT.lineCount);
    const isPlain = table !== undefined && spans.length === 0;
    ranked.set(file, {
      symbols,
      spans: isPlain ? bestLines(table.gains, lineCount) : spans,
      names: table?.names ?? [],
    });
  }
  return ranked;
}

/** The units of a file with what the terms of a task say about each. */
class UnitTable {
  /** By line: the gain of its words; for files without definitions. */
  readonly gains = new Map<number, number>();
  readonly names: readonly string[];
  readonly #symbols: readonly SymbolDefinition[];
  readonly #units: readonly SymbolUnit[];
  readonly #innermost: Int32Array;
  readonly #scores: Float64Array;
  readonly #counts: Float64Array;
  readonly #touched: number[] = [];

  constructor(symbols: readonly SymbolDefinition[]) {
    this.#symbols = symbols;
    this.names = symbols.map(({ name }) => name);
    this.#units = symbolUnits(symbols);
    this.#innermost = innermostUnits(this.#units);
    this.#scores = new Float64Array(this.#units.length);
    this.#counts = new Float64Array(this.#units.length);
  }

  addLine(line: number, count: number, gain: number): void {
    this.gains.set(line, (this.gains.get(line) ?? 0) + count * gain);
    for (let unit = this.#innermost[line] ?? -1; unit >= 0; unit = this.#units[unit]!.parent) {
      if (this.#counts[unit] === 0) this.#touched.push(unit);
      this.#counts[unit]! += count;
    }
  }

  /** To be called behind the last line of each term. */
  closeTerm(gain: number): void {
    for (const unit of this.#touched) {
      const { startLine, endLine } = this.#units[unit]!;
      const norm = 1 - LENGTH_SHARE + (LENGTH_SHARE * (endLine - startLine + 1)) / USUAL_LINES;
      const count = this.#counts[unit]! / norm;
      this.#scores[unit]! += (gain * count * (SATURATION + 1)) / (count + SATURATION);
      this.#counts[unit] = 0;
    }
    this.#touched.length = 0;
  }

  ranked(mentioned: ReadonlyMap<number, number>): RankedSymbol[] {
    const best = this.#scores.reduce((most, score) => Math.max(most, score), 0) || 1;
    const scored = this.#units
      .map((unit, at) => {
        const text = this.#scores[at]! * (unit.startLine === unit.endLine ? ONE_LINE : 1);
        const bonus = unit.isWhole ? MENTIONED * best * (mentioned.get(unit.symbol) ?? 0) : 0;
        return { unit, score: text + bonus };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || a.unit.startLine - b.unit.startLine);
    const most = scored[0]?.score ?? 0;
    return withoutNested(scored.filter(({ score }) => score >= most * SMALLEST_SCORE))
      .slice(0, MAX_SYMBOLS)
      .map(({ unit, score }) => ({
        name: qualifiedName(this.#symbols, unit.symbol),
        startLine: unit.startLine,
        endLine: unit.endLine,
        score: Math.round((score / most) * 1000) / 1000,
      }));
  }
}

function countTerms(context: RankingContext, tables: ReadonlyMap<number, UnitTable>): void {
  for (const { words, gain } of strongestTerms(context).slice(0, MAX_TERMS)) {
    const touched = new Set<UnitTable>();
    eachOccurrence(context.corpus, words, (file, weight, _count, positions, kept) => {
      const table = tables.get(file);
      if (!table) return;
      touched.add(table);
      for (let at = 0; at < kept; at++)
        table.addLine(positions[at]! >>> 2, weight * FIELD_GAIN[positions[at]! & 3]!, gain);
    });
    for (const table of touched) table.closeTerm(gain);
  }
}

/** By file: definitions whose very name the task mentions, with the weight of the mention. */
function mentionedSymbols(context: RankingContext): Map<number, Map<number, number>> {
  const byFile = new Map<number, Map<number, number>>();
  for (const { weight, definers } of mentionedIn(context))
    for (const { file, symbol } of definers) {
      const known = byFile.get(file) ?? new Map<number, number>();
      known.set(symbol, Math.max(known.get(symbol) ?? 0, weight / Math.sqrt(definers.length)));
      byFile.set(file, known);
    }
  return byFile;
}

/** Of a definition and one inside it, the better stays. */
function withoutNested<Scored extends { readonly unit: LineSpan }>(scored: readonly Scored[]): Scored[] {
  const kept: Scored[] = [];
  for (const one of scored) {
    const overlaps = kept.some(
      ({ unit }) => unit.startLine <= one.unit.endLine && one.unit.startLine <= unit.endLine,
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

const PASSAGE_LINES = 40;
const LINES_BEFORE = 3;

/** For a file without definitions: the stretch of lines with the most to it. */
export function bestLines(gains: ReadonlyMap<number, number>, lineCount: number): LineSpan[] {
  const lines = [...gains.keys()].sort((a, b) => a - b);
  let best: LineSpan | null = null;
  let most = 0;
  let worth = 0;
  let last = 0;
  lines.forEach((line, at) => {
    while (last < lines.length && lines[last]! <= line + PASSAGE_LINES) worth += gains.get(lines[last++]!)!;
    if (worth > most) {
      most = worth;
      const endLine = Math.min(line + PASSAGE_LINES, Math.max(line, lineCount));
      best = { startLine: Math.max(1, line - LINES_BEFORE), endLine };
    }
    worth -= gains.get(lines[at]!)!;
  });
  return best ? [best] : [];
}

/** Lines that can be shown by themselves: a definition, or a stretch of one that is too long to be shown whole. */
interface SymbolUnit extends LineSpan {
  /** Number of the definition among those of its file. */
  readonly symbol: number;
  /** Number of the unit around it, or -1. */
  readonly parent: number;
  /** False for a stretch. */
  readonly isWhole: boolean;
}

/** A definition with more lines is entered only by its parts. */
const MAX_WHOLE = 80;
const STRETCH_LINES = 40;
/** Fewer lines between two definitions are brackets and blanks. */
const MIN_STRETCH = 4;

/** The units of a file, what is around before what is inside; two of them overlap only when one is in the other. */
export function symbolUnits(symbols: readonly SymbolDefinition[]): SymbolUnit[] {
  const units: SymbolUnit[] = [];
  const unitOf = new Int32Array(symbols.length).fill(-1);
  const children = childrenOf(symbols);
  symbols.forEach(({ startLine, endLine, container }, symbol) => {
    if (endLine - startLine < MAX_WHOLE) {
      unitOf[symbol] = units.length;
      units.push({
        symbol,
        startLine,
        endLine,
        parent: container < 0 ? -1 : unitOf[container]!,
        isWhole: true,
      });
      return;
    }
    for (const gap of gapsOf(symbols[symbol]!, children[symbol]!))
      for (let line = gap.startLine; line <= gap.endLine; line += STRETCH_LINES) {
        const last = Math.min(gap.endLine, line + STRETCH_LINES - 1);
        units.push({ symbol, startLine: line, endLine: last, parent: -1, isWhole: false });
      }
  });
  return units;
}

function childrenOf(symbols: readonly SymbolDefinition[]): readonly SymbolDefinition[][] {
  const children = symbols.map((): SymbolDefinition[] => []);
  for (const symbol of symbols) if (symbol.container >= 0) children[symbol.container]!.push(symbol);
  return children;
}

/** The lines of a definition that belong to none of those inside it. */
function gapsOf({ startLine, endLine }: LineSpan, children: readonly LineSpan[]): LineSpan[] {
  const gaps: LineSpan[] = [];
  let from = startLine;
  const close = (last: number) => {
    if (last - from + 1 >= MIN_STRETCH) gaps.push({ startLine: from, endLine: last });
  };
  for (const child of children) {
    close(child.startLine - 1);
    from = Math.max(from, child.endLine + 1);
  }
  close(endLine);
  return gaps;
}

/** By line: number of the innermost unit, or -1. */
export function innermostUnits(units: readonly SymbolUnit[]): Int32Array {
  const length = units.reduce((most, { endLine }) => Math.max(most, endLine), 0);
  const innermost = new Int32Array(length + 1).fill(-1);
  units.forEach(({ startLine, endLine }, unit) => {
    innermost.fill(unit, startLine, endLine + 1);
  });
  return innermost;
}
