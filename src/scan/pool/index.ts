export { EarlyWorkers } from './early-workers.ts';
export { documentKey, type SegmentFileResult } from './open-segment.ts';
export { type BuiltSegment, buildSegments, type PoolOptions } from './segment-pool.ts';
export { NO_TURN, takeTurn } from './take-turn.ts';
export { WorkQueue } from './work-queue.ts';
