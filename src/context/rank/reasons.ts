import type { RankedFile, Signal } from '../../model/ranking.ts';
import { type Evidence, type EvidenceColumns, signalsOf } from './evidence.ts';
import { rankSymbols } from './rank-symbols.ts';
import type { RankingContext } from './ranking-context.ts';
import { type FileScores, type RankOptions, round } from './score-files.ts';
import { contentReason, isTelling } from './signals/reason-words.ts';
import { isBelow, scopePlaces } from './signals/scope-signals.ts';
import {
  type RankingSignal,
  type ReasonContext,
  type ReasonPlaces,
  type ShownTexts,
  shownName,
} from './signals/signal.ts';
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
  const placesIn = (file: number): ReasonPlaces => {
    const { symbols, spans } = lines.get(file)!;
    return {
      symbols: symbols.map((symbol) => ({
        ...symbol,
        name: shown.name(symbol.name),
        words: symbol.words.filter(isTelling).map(shown.name),
      })),
      spans,
    };
  };
  const reasoning: ReasonContext = {
    ranking: context,
    order,
    strength: evidence.strength,
    namesIn: (file) => lines.get(file)!.names,
    placesIn,
    mayName: (path) => allow?.(path) !== false,
    shown,
    remembered: new Map(),
  };
  return order.map((file) => {
    const { blocks } = lines.get(file)!;
    const { symbols, spans } = reasoning.placesIn(file);
    const hint = scores.hinted.get(file);
    const reasons = explain(evidence.columns, file, reasoning);
    return {
      path: context.files[file]!.path,
      combinedScore: scores.combined[file]!,
      astScore: round(scores.ast[file]!),
      semanticScore: round(scores.semantic[file]!),
      signals: mapValues(signalsOf(evidence.columns, file), round),
      symbols,
      blocks: blocks.map((block) => ({ ...block, words: block.words.map(shown.name) })),
      spans,
      reasons: hint ? [...reasons, shown.message(hint.reason)] : reasons,
    };
  });
}

const MAX_REASONS = 3;
/** Characters: a reason is read in a table. */
const MAX_REASON = 160;
const WORTH_SAYING = 0.1;

/** Why a file is where it is, strongest reason first. Each thing is said once. */
function explain(columns: EvidenceColumns, file: number, context: ReasonContext): readonly string[] {
  const { files, task } = context.ranking;
  const isNamed = task.places.some((place) => isBelow(files[file]!.path, place));
  const strongest = strongestSignals(columns, file);
  // The caller named the domain, so it comes first: it lifts the file whatever else speaks for it.
  const told = isNamed
    ? [scopePlaces, ...strongest.filter(({ name }) => name !== scopePlaces.name)]
    : strongest;
  const reasons = told
    .slice(0, MAX_REASONS)
    .map((signal) => signal.reason(file, context))
    .filter((reason) => reason !== '');
  const [top] = context.placesIn(file).symbols;
  const isSaid =
    top === undefined || reasons.some((reason) => reason.includes(` in ${shownName(context, top.name)}`));
  const all = isSaid ? reasons : [...reasons, `see ${top.name}, line ${top.startLine}`];
  return [...new Set(all.map(bounded))];
}

const bounded = (reason: string): string => {
  const characters = [...reason];
  return characters.length <= MAX_REASON ? reason : `${characters.slice(0, MAX_REASON - 1).join('')}…`;
};

const BY_NAME: ReadonlyMap<string, RankingSignal> = new Map(
  RANKING_SIGNALS.map((signal) => [signal.name, signal]),
);

/** People call all signals with this reason one reason. It goes by the first of them. */
const CONTENT = RANKING_SIGNALS.find(({ reason }) => reason === contentReason)!;

/** The signals that gave a file most; signals that people would call the same reason count together. */
function strongestSignals(columns: EvidenceColumns, file: number): RankingSignal[] {
  const worths = new Map<RankingSignal, number>();
  for (const signal of RANKING_SIGNALS) {
    const worth = signal.weight * (columns[signal.name]?.[file] ?? 0);
    const other = signal.toldAs === undefined ? undefined : BY_NAME.get(signal.toldAs);
    const told = other && (columns[other.name]?.[file] ?? 0) > 0 ? other : signal;
    worths.set(told, (worths.get(told) ?? 0) + worth);
  }
  // Several signals find words in the content: the best of them says how strong the one reason for all is.
  for (const [signal, worth] of [...worths])
    if (signal.reason === contentReason && signal !== CONTENT) {
      worths.delete(signal);
      worths.set(CONTENT, Math.max(worth, worths.get(CONTENT) ?? 0));
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
