import { SIGNALS, type Signal, STRUCTURAL_SIGNALS } from '../../model/ranking.ts';
import { EVIDENCE_WEIGHTS } from './ranking-weights.ts';

/** Evidence by name, each column 0..1 by file number. */
export type EvidenceColumns = Readonly<Partial<Record<keyof typeof EVIDENCE_WEIGHTS, Float64Array>>>;

const NAMES = Object.keys(EVIDENCE_WEIGHTS) as (keyof typeof EVIDENCE_WEIGHTS)[];

/** Summed evidence of each file, for structure and for text. */
export interface SideSums {
  readonly structure: Float64Array;
  readonly text: Float64Array;
}

export function sumSides(
  columns: EvidenceColumns,
  fileCount: number,
  /** How much each signal counts against what it counts by default. */
  multipliers?: Readonly<Record<Signal, number>>,
): SideSums {
  const sums = { structure: new Float64Array(fileCount), text: new Float64Array(fileCount) };
  for (const name of NAMES) {
    const column = columns[name];
    const { signal, weight: learned } = EVIDENCE_WEIGHTS[name];
    const weight = learned * (multipliers?.[signal] ?? 1);
    if (!column || weight === 0) continue;
    const side = STRUCTURAL_SIGNALS.has(signal) ? sums.structure : sums.text;
    for (let file = 0; file < fileCount; file++) side[file]! += weight * column[file]!;
  }
  return sums;
}

/** What each signal says of one file, 0..1: its evidence as a share of what it could be at most. */
export function signalsOf(columns: EvidenceColumns, file: number): Record<Signal, number> {
  const signals = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Record<Signal, number>;
  const most = { ...signals };
  for (const name of NAMES) {
    const { signal, weight } = EVIDENCE_WEIGHTS[name];
    most[signal] += weight;
    signals[signal] += weight * (columns[name]?.[file] ?? 0);
  }
  for (const signal of SIGNALS)
    signals[signal] = most[signal] === 0 ? 0 : Math.min(1, signals[signal] / most[signal]);
  return signals;
}
