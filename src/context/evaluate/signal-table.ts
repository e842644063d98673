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
import type { Multipliers } from './tuned-weights.ts';

// The signals of one task as a small table. Tuning and the relevance bench rank with other weights many times over, and
// the table makes that fast.

/** The evidence for all files of an index and one task, by file number. */
export interface EvidenceTable {
  readonly columns: EvidenceColumns;
  /** The factor for the kind of the file; 0 for a file that cannot be ranked. */
  readonly priors: Float64Array;
}

/** Gathers the evidence in the same way as the ranking. */
export function evidenceTable(index: IndexView, task: TaskAnalysis, history: CommitHistory): EvidenceTable {
  const { files } = index.snapshot;
  const { columns } = gatherEvidence(createRankingContext(index, task, history));
  return {
    columns,
    priors: Float64Array.from(files, (file) => (file.segment < 0 ? 0 : filePrior(file, task))),
  };
}

/** The weights as they come with Loadout. */
export const AS_LEARNED: Multipliers = {
  path: 1,
  symbol: 1,
  lexical: 1,
  semantic: 1,
  graph: 1,
  history: 1,
};

/** The contribution of each group of signals to the score of the strongest files. */
export interface SignalTable {
  /** Sorted. */
  readonly paths: readonly string[];
  /** By the index of the path. */
  readonly signals: Readonly<Record<Signal, Float64Array>>;
}

/** Files in a table. With any sensible weights the first ones are among these. */
const KEPT = 300;

/** Reduces the evidence to the strongest files. Those in `always` are kept too. */
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
  // Keep the best files by the learned weights.
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

/** Ranks the files of a table with other weights. The best path comes first. */
export function rankTable({ paths, signals }: SignalTable, multipliers: Multipliers): string[] {
  const scores = new Float64Array(paths.length);
  for (const signal of SIGNALS)
    for (let at = 0; at < scores.length; at++) scores[at]! += multipliers[signal] * signals[signal][at]!;
  return [...paths.keys()].sort((a, b) => scores[b]! - scores[a]! || a - b).map((at) => paths[at]!);
}
