export { type IndexSession, indexKey, openIndexSession, useIndex } from './index-session.ts';
export { findFile, isLight } from './plan-scan.ts';
export type { CommentStripper } from './remove-comments.ts';
export { openRepository, type Repository } from './repository.ts';
export { describeNoFiles, type OpenScan, type ScanRequest, type ScanStep } from './run-scan.ts';
export { describeLanguage } from './scan-repository.ts';
