export type { AnswerSummary, Evaluation, Summary } from './evaluate-repository.ts';
export { type Gap, gapHints, readGaps, recordGap } from './gaps.ts';
export type { PackPaths } from './replay-task.ts';
export { readTunedWeights, type Tuning } from './tuning.ts';
