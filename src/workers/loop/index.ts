export { loopStatus, showIteration } from './inspect-loop.ts';
export { runTaskTree } from './run-task-tree.ts';
export { startLoop } from './start-loop.ts';
