export type { TextAnswer, TextRequest } from './ask-about-text.ts';
export { centralityOf, createSymbolRanking } from './central-files.ts';
export { type EvidenceColumns, gatherEvidence } from './evidence.ts';
export { textSearches } from './given-evidence.ts';
export { createRankingContext, knownWeight } from './ranking-context.ts';
export { describeFiles } from './reasons.ts';
export { type FileHint, filePrior, orderFiles, type RankOptions, scoreFiles } from './score-files.ts';
export { eachDefinition, kindWeight } from './signals/name-signals.ts';
export { RANKING_SIGNALS } from './signals/table.ts';
