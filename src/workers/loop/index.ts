export {
  type IterationSummary,
  type LoopStatusReport,
  listIterations,
  loopStatus,
  type ShownIteration,
  showIteration,
} from './inspect-loop.ts';
export {
  type ContextFile,
  type ContextPayload,
  type LoopFolder,
  type PromptInputs,
  readPromptInputs,
  writeContext,
} from './loop-context.ts';
export {
  DEFAULT_PROMPT_BYTES,
  PromptBuilder,
  type PromptPack,
  type PromptSection,
  type SectionName,
} from './loop-prompt.ts';
export {
  type DriveResult,
  runTaskTree,
  type StepEvent,
  type StepReport,
  type TaskTreeRequest,
} from './run-task-tree.ts';
export { type StartedLoop, type StartRequest, startLoop } from './start-loop.ts';
export type { TreeLine, TreeNode } from './task-tree.ts';
