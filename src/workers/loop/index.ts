export type { DriveResult } from './drive-loop.ts';
export { type LoopStatusReport, loopStatus } from './loop-status.ts';
export { runTaskTree, type TaskTreeRequest } from './run-task-tree.ts';
export { type ShownIteration, showIteration } from './show-iteration.ts';
export { type StartedLoop, type StartRequest, startLoop } from './start-loop.ts';
export type { StepEvent, StepReport } from './step-loop.ts';
