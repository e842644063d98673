import { SIGNALS, type Signal, STRUCTURAL_SIGNALS } from '../../model/ranking.ts';
import type { Corpus } from './corpus.ts';
import type { RankingContext } from './ranking-context.ts';
import { RANKING_SIGNALS } from './signals/table.ts';

/** A column for each signal, by its name: 0..1 by file number. */
export type EvidenceColumns = Readonly<Record<string, Float64Array>>;

/** What all signals say about all files. */
export interface Evidence {
  readonly columns: EvidenceColumns;
  /** How strong each file is before its neighbours are asked. */
  readonly strength: Float64Array;
}

/** Asks every signal of the table about every file. */
export function gatherEvidence(context: RankingContext): Evidence {
  const fileCount = context.files.length;
  const columns: Record<string, Float64Array> = {};
  const direct = RANKING_SIGNALS.filter(({ isAboutNeighbours }) => !isAboutNeighbours);
  // Most signals look at each file by itself. All are scored before any column is changed: some look at others.
  for (const signal of direct) columns[signal.name] = signal.score(context, NO_STRENGTH);
  // Findings in the content hold for every path that has this content.
  for (const { name, isAboutContent } of direct)
    if (isAboutContent) giveToTwins(context.corpus, columns[name]!);
  // A file that is changed a lot matters only if something in the task speaks for it, or every task would match.
  silenceAlone(columns);
  // The best file of each column gets 1.
  for (const { name, isShare } of direct) if (!isShare) normalise(columns[name]!);
  // The files that are strong now speak for their neighbours.
  const { structure, text } = sumSides(columns, fileCount);
  const strength = structure.map((value, file) => value + text[file]!);
  for (const signal of RANKING_SIGNALS)
    if (signal.isAboutNeighbours) columns[signal.name] = signal.score(context, strength);
  return { columns, strength };
}

const NO_STRENGTH = new Float64Array(0);

function giveToTwins({ twinOf, twins }: Corpus, column: Float64Array): void {
  for (const file of twins) column[file] = column[twinOf[file]!]!;
}

function silenceAlone(columns: EvidenceColumns): void {
  const needing = RANKING_SIGNALS.filter(({ needsAnother }) => needsAnother).map(
    ({ name }) => columns[name]!,
  );
  const speaking = RANKING_SIGNALS.filter(
    ({ needsAnother, isAboutNeighbours }) => !needsAnother && !isAboutNeighbours,
  ).map(({ name }) => columns[name]!);
  const fileCount = needing[0]?.length ?? 0;
  for (let file = 0; file < fileCount; file++) {
    if (needing.every((column) => column[file] === 0)) continue;
    if (speaking.some((column) => column[file] !== 0)) continue;
    for (const column of needing) column[file] = 0;
  }
}

function normalise(column: Float64Array): void {
  let most = 0;
  for (const value of column) if (value > most) most = value;
  if (most > 0) for (let file = 0; file < column.length; file++) column[file]! /= most;
}

/** Summed evidence of each file, for structure and for text. */
export interface SideSums {
  readonly structure: Float64Array;
  readonly text: Float64Array;
}

/** Weighs the evidence and adds it up; signals without a column are left out. */
export function sumSides(
  columns: EvidenceColumns,
  fileCount: number,
  /** How much each group of signals counts against what it counts by default. */
  multipliers?: Readonly<Record<Signal, number>>,
): SideSums {
  const sums = { structure: new Float64Array(fileCount), text: new Float64Array(fileCount) };
  for (const { name, group, weight: learned } of RANKING_SIGNALS) {
    const column = columns[name];
    const weight = learned * (multipliers?.[group] ?? 1);
    if (!column || weight === 0) continue;
    const side = STRUCTURAL_SIGNALS.has(group) ? sums.structure : sums.text;
    for (let file = 0; file < fileCount; file++) side[file]! += weight * column[file]!;
  }
  return sums;
}

/** What each group of signals says about one file, 0..1: its evidence as a share of the largest possible. */
export function signalsOf(columns: EvidenceColumns, file: number): Record<Signal, number> {
  const signals = Object.fromEntries(SIGNALS.map((signal) => [signal, 0])) as Record<Signal, number>;
  const most = { ...signals };
  for (const { name, group, weight } of RANKING_SIGNALS) {
    most[group] += weight;
    signals[group] += weight * (columns[name]?.[file] ?? 0);
  }
  for (const signal of SIGNALS)
    signals[signal] = most[signal] === 0 ? 0 : Math.min(1, signals[signal] / most[signal]);
  return signals;
}
