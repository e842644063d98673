/**
 * The entry point `loadout/run`: everything that a program needs to run workers and loops. It is separate from
 * the main entry, so that a program that only builds packages does not load it.
 */

export type {
  AttemptRecord,
  BuiltPrompt,
  GateCommand,
  GateReport,
  PromptInput,
  RunEnvironment,
  RunEvent,
  RunOutcome,
  RunReason,
  RunRequest,
  RunResult,
  StoredEvent,
} from '../../workers/index.ts';
export {
  createRunEnvironment,
  dropRunTree,
  findRun,
  listKeptTrees,
  listRuns,
  type RefusedRun,
  type RunEnvironmentOptions,
  type RunHandle,
  type RunManyOptions,
  type RunSummary,
  readEvents,
  readRun,
  runMany,
  runRole,
} from '../../workers/index.ts';
export type { StepEvent, StepReport, TreeNode } from '../../workers/loop/index.ts';
export {
  type ContextFile,
  type ContextPayload,
  DEFAULT_PROMPT_BYTES,
  type DriveResult,
  type LoopFolder,
  type LoopStatusReport,
  loopStatus,
  PromptBuilder,
  type PromptInputs,
  type PromptPack,
  type PromptSection,
  readPromptInputs,
  runTaskTree,
  type SectionName,
  type ShownIteration,
  type StartedLoop,
  type StartRequest,
  showIteration,
  startLoop,
  type TaskTreeRequest,
  writeContext,
} from '../../workers/loop/index.ts';
