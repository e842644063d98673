export { dropRunTree, listKeptTrees } from './drop-run-tree.ts';
export { findRun, listRuns, type RunSummary, readEvents, readRun } from './log/read-runs.ts';
export type { DriveResult } from './loop/drive-loop.ts';
export { type LoopFolder, readPromptInputs, writeContext } from './loop/loop-context.ts';
export { type LoopStatusReport, loopStatus } from './loop/loop-status.ts';
export {
  DEFAULT_PROMPT_BYTES,
  PromptBuilder,
  type PromptPack,
  type PromptSection,
  type SectionName,
} from './loop/prompt/prompt-builder.ts';
export type { PromptInputs } from './loop/prompt/prompt-inputs.ts';
export { runTaskTree, type TaskTreeRequest } from './loop/run-task-tree.ts';
export { type ShownIteration, showIteration } from './loop/show-iteration.ts';
export { type StartedLoop, type StartRequest, startLoop } from './loop/start-loop.ts';
export type { StepEvent, StepReport } from './loop/step-loop.ts';
export type { TreeNode } from './loop/tree/tree-node.ts';
export type { ContextFile, ContextPayload } from './loop/write-context.ts';
export { createRunEnvironment, type RunEnvironmentOptions } from './run-environment.ts';
export type { GateReport, RunEvent, RunOutcome, RunReason, StoredEvent } from './run-event.ts';
export { type RefusedRun, type RunManyOptions, runMany } from './run-many.ts';
export type { AttemptRecord, RunResult } from './run-record.ts';
export type { BuiltPrompt, GateCommand, PromptInput, RunEnvironment, RunRequest } from './run-request.ts';
export { type RunHandle, runRole } from './run-role.ts';
