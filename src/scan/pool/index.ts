export type { Highlighter } from './highlighter.ts';
export { documentKey, type SegmentFileResult } from './open-segment.ts';
export { type BuiltSegment, buildSegments, EarlyWorkers, type PoolOptions } from './segment-pool.ts';
export { WorkQueue } from './work-queue.ts';
