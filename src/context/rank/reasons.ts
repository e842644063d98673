import type { RankedFile, RankedSymbol, Signal } from '../../model/ranking.ts';
import { type Evidence, type EvidenceColumns, signalsOf } from './evidence.ts';
import { rankSymbols } from './rank-symbols.ts';
import type { RankingContext } from './ranking-context.ts';
import { type FileScores, type RankOptions, round } from './score-files.ts';
import { isBelow, scopePlaces } from './signals/scope-signals.ts';
import type { RankingSignal, ReasonContext, ShownTexts } from './signals/signal.ts';
import { RANKING_SIGNALS } from './signals/table.ts';

const AS_THEY_ARE: ShownTexts = { name: (name) => name, message: (text) => text };

/** The files to return, with the definitions and lines that matter and the reasons, as people read them. */
export function describeFiles(
  context: RankingContext,
  evidence: Evidence,
  scores: FileScores,
  order: readonly number[],
  { allow, shown = AS_THEY_ARE }: RankOptions,
): RankedFile[] {
  const lines = rankSymbols(context, order, (file) => scores.combined[file]!);
  const reasoning: ReasonContext = {
    ranking: context,
    order,
    strength: evidence.strength,
    namesIn: (file) => lines.get(file)!.names,
    mayName: (path) => allow?.(path) !== false,
    shown,
    remembered: new Map(),
  };
  return order.map((file) => {
    const { symbols: found, spans } = lines.get(file)!;
    const symbols = found.map((symbol) => ({
      ...symbol,
      name: shown.name(symbol.name),
      words: symbol.words.map(shown.name),
    }));
    const hint = scores.hinted.get(file);
    const reasons = explain(evidence.columns, file, symbols, reasoning);
    return {
      path: context.files[file]!.path,
      combinedScore: scores.combined[file]!,
      astScore: round(scores.ast[file]!),
      semanticScore: round(scores.semantic[file]!),
      signals: mapValues(signalsOf(evidence.columns, file), round),
      symbols,
      spans,
      reasons: hint ? [...reasons, shown.message(hint.reason)] : reasons,
    };
  });
}

const MAX_REASONS = 3;
const WORTH_SAYING = 0.1;

/** Why a file is where it is, strongest reason first. */
function explain(
  columns: EvidenceColumns,
  file: number,
  symbols: readonly RankedSymbol[],
  context: ReasonContext,
): readonly string[] {
  const { files, task } = context.ranking;
  const isNamed = task.places.some((place) => isBelow(files[file]!.path, place));
  const strongest = strongestSignals(columns, file);
  // The caller named the domain, so it comes first: it lifts the file whatever else speaks for it.
  const told = isNamed
    ? [scopePlaces, ...strongest.filter(({ name }) => name !== scopePlaces.name)]
    : strongest;
  const reasons = told.slice(0, MAX_REASONS).map((signal) => signal.reason(file, context));
  const top = symbols[0];
  return top ? [...reasons, `see ${top.name}, line ${top.startLine}`] : reasons;
}

const BY_NAME: ReadonlyMap<string, RankingSignal> = new Map(
  RANKING_SIGNALS.map((signal) => [signal.name, signal]),
);

/** The signals that gave a file most; signals that people would call the same reason count together. */
function strongestSignals(columns: EvidenceColumns, file: number): RankingSignal[] {
  const worths = new Map<RankingSignal, number>();
  for (const signal of RANKING_SIGNALS) {
    const worth = signal.weight * (columns[signal.name]?.[file] ?? 0);
    const other = signal.toldAs === undefined ? undefined : BY_NAME.get(signal.toldAs);
    const told = other && (columns[other.name]?.[file] ?? 0) > 0 ? other : signal;
    worths.set(told, (worths.get(told) ?? 0) + worth);
  }
  return [...worths]
    .filter(([, worth]) => worth >= WORTH_SAYING)
    .sort(([a, worthA], [b, worthB]) => worthB - worthA || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_REASONS)
    .map(([signal]) => signal);
}

function mapValues(
  values: Readonly<Record<Signal, number>>,
  change: (value: number) => number,
): Record<Signal, number> {
  const entries = Object.entries(values).map(([key, value]) => [key, change(value)]);
  return Object.fromEntries(entries) as Record<Signal, number>;
}
