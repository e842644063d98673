import type { CommitHistory } from '../../model/commit-history.ts';
import type { IndexView } from '../../model/index-view.ts';
import { SIGNALS, type Signal } from '../../model/ranking.ts';
import type { TaskAnalysis } from '../../model/task-analysis.ts';
import {
  createRankingContext,
  type EvidenceColumns,
  filePrior,
  gatherEvidence,
  RANKING_SIGNALS,
} from '../rank/index.ts';

/** Everything that is known about the files of an index in the light of one task, by file number. */
export interface EvidenceTable {
  readonly columns: EvidenceColumns;
  /** The factor for the kind of the file; 0 for a file that cannot be ranked. */
  readonly priors: Float64Array;
}

export function evidenceTable(index: IndexView, task: TaskAnalysis, history: CommitHistory): EvidenceTable {
  const { files } = index.snapshot;
  const { columns } = gatherEvidence(createRankingContext(index, task, history));
  return {
    columns,
    priors: Float64Array.from(files, (file) => (file.segment < 0 ? 0 : filePrior(file, task))),
  };
}

/** How much each signal counts against what it counts by default. */
export type Multipliers = Readonly<Record<Signal, number>>;

export const AS_LEARNED: Multipliers = {
  path: 1,
  symbol: 1,
  lexical: 1,
  semantic: 1,
  graph: 1,
  history: 1,
};

/** What each signal adds to the score of the files that may be among the first. */
export interface SignalTable {
  /** Sorted. */
  readonly paths: readonly string[];
  readonly signals: Readonly<Record<Signal, Float64Array>>;
}

/** Whatever the weights, the answer is among these. */
const KEPT = 300;

/** The strongest files of a table, and those at `always`. */
export function signalTable(
  paths: readonly string[],
  { columns, priors }: EvidenceTable,
  always: readonly string[],
): SignalTable {
  const sums = Object.fromEntries(
    SIGNALS.map((signal) => [signal, new Float64Array(paths.length)]),
  ) as Record<Signal, Float64Array>;
  for (const { name, group, weight } of RANKING_SIGNALS) {
    const sum = sums[group];
    const column = columns[name]!;
    for (let file = 0; file < sum.length; file++) sum[file]! += weight * column[file]! * priors[file]!;
  }
  const totals = priors.map((_, file) => SIGNALS.reduce((sum, signal) => sum + sums[signal][file]!, 0));
  const kept = new Set(always);
  const places = [...paths.keys()]
    .filter((file) => totals[file]! > 0)
    .sort((a, b) => totals[b]! - totals[a]! || a - b)
    .filter((file, at) => at < KEPT || kept.has(paths[file]!))
    .sort((a, b) => (paths[a]! < paths[b]! ? -1 : 1));
  return {
    paths: places.map((file) => paths[file]!),
    signals: Object.fromEntries(
      SIGNALS.map((signal) => [signal, Float64Array.from(places, (file) => sums[signal][file]!)]),
    ) as Record<Signal, Float64Array>,
  };
}

/** Paths, best first. */
export function rankTable({ paths, signals }: SignalTable, multipliers: Multipliers): string[] {
  const scores = new Float64Array(paths.length);
  for (const signal of SIGNALS)
    for (let at = 0; at < scores.length; at++) scores[at]! += multipliers[signal] * signals[signal][at]!;
  return [...paths.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b).map((at) => paths[at]!);
}
