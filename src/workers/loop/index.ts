export { loopStatus } from './loop-status.ts';
export { runTaskTree } from './run-task-tree.ts';
export { showIteration } from './show-iteration.ts';
export { startLoop } from './start-loop.ts';
