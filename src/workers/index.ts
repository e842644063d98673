export { findRun, listRuns, type RunSummary, readEvents, readRun } from './log/read-runs.ts';
export {
  type LoopStatusReport,
  loopStatus,
  type ShownIteration,
  showIteration,
} from './loop/inspect-loop.ts';
export {
  type ContextFile,
  type ContextPayload,
  type LoopFolder,
  type PromptInputs,
  readPromptInputs,
  writeContext,
} from './loop/loop-context.ts';
export {
  DEFAULT_PROMPT_BYTES,
  PromptBuilder,
  type PromptPack,
  type PromptSection,
  type SectionName,
} from './loop/loop-prompt.ts';
export { type DriveResult, runTaskTree, type TaskTreeRequest } from './loop/run-task-tree.ts';
export { type StartedLoop, type StartRequest, startLoop } from './loop/start-loop.ts';
export type { StepEvent, StepReport } from './loop/step-loop.ts';
export type { TreeNode } from './loop/task-tree.ts';
export { createRunEnvironment, type RunEnvironmentOptions } from './run-environment.ts';
export type {
  AttemptRecord,
  GateReport,
  RunEvent,
  RunOutcome,
  RunReason,
  RunResult,
  StoredEvent,
} from './run-record.ts';
export type { BuiltPrompt, GateCommand, PromptInput, RunEnvironment, RunRequest } from './run-request.ts';
export { type RefusedRun, type RunHandle, type RunManyOptions, runMany, runRole } from './run-role.ts';
export { dropRunTree, listKeptTrees } from './worktrees/kept-trees.ts';
