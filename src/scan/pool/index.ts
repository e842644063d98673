export type { Highlighter } from './highlighter.ts';
export { type CommentJob, type CommentText, documentKey, type SegmentFileResult } from './open-segment.ts';
export { type BuiltSegment, buildSegments, type PoolOptions } from './segment-pool.ts';
export { WorkQueue } from './work-queue.ts';
