// Evaluation: how well the ranking answers past commits, weights tuned to a repository, and gaps that agents reported.
export type { AnswerSummary, Evaluation, Summary } from './evaluate-repository.ts';
export { type Gap, gapHints, readGaps, recordGap } from './gaps.ts';
export type { PackPaths } from './replay-task.ts';
export { readTunedWeights } from './tuned-weights.ts';
export type { Tuning } from './tuning.ts';
