export { findRun, listRuns, type RunSummary, readEvents, readRun } from '../../workers/log/read-runs.ts';
export {
  type LoopStatusReport,
  loopStatus,
  type ShownIteration,
  showIteration,
} from '../../workers/loop/inspect-loop.ts';
export {
  type ContextFile,
  type ContextPayload,
  type LoopFolder,
  type PromptInputs,
  readPromptInputs,
  writeContext,
} from '../../workers/loop/loop-context.ts';
export {
  DEFAULT_PROMPT_BYTES,
  PromptBuilder,
  type PromptPack,
  type PromptSection,
  type SectionName,
} from '../../workers/loop/loop-prompt.ts';
export { type DriveResult, runTaskTree, type TaskTreeRequest } from '../../workers/loop/run-task-tree.ts';
export { type StartedLoop, type StartRequest, startLoop } from '../../workers/loop/start-loop.ts';
export type { StepEvent, StepReport } from '../../workers/loop/step-loop.ts';
export type { TreeNode } from '../../workers/loop/task-tree.ts';
export { createRunEnvironment, type RunEnvironmentOptions } from '../../workers/run-environment.ts';
export type {
  AttemptRecord,
  GateReport,
  RunEvent,
  RunOutcome,
  RunReason,
  RunResult,
  StoredEvent,
} from '../../workers/run-record.ts';
export type { BuiltPrompt, GateCommand, PromptInput, RunEnvironment, RunRequest } from '../../workers/run-request.ts';
export { type RefusedRun, type RunHandle, type RunManyOptions, runMany, runRole } from '../../workers/run-role.ts';
export { dropRunTree, listKeptTrees } from '../../workers/worktrees/kept-trees.ts';
