export { type AttemptsResult, runAttempts } from './attempts.ts';
export { BreakerStore, type BreakerVerdict } from './breaker.ts';
export { namesOf } from './finish-run.ts';
export { gateEnvironment, gateName, runGate } from './gates.ts';
export { type PreparedRun, prepareRun } from './prepare-run.ts';
export { createRunEnvironment, type RunEnvironmentOptions } from './run-environment.ts';
export { findRun, listRunIds, listRuns, newRunId, type RunSummary, readEvents, readRun } from './run-log.ts';
export type {
  AttemptRecord,
  GateReport,
  RunEvent,
  RunOutcome,
  RunReason,
  RunResult,
  StoredEvent,
} from './run-record.ts';
export type {
  BuiltPrompt,
  GateCommand,
  PromptInput,
  RunContext,
  RunEnvironment,
  RunRequest,
} from './run-request.ts';
export { type RefusedRun, type RunHandle, type RunManyOptions, runMany, runRole } from './run-role.ts';
export { finishCrashed, type RunTree, reapTrees, takeTree } from './worktrees/run-tree.ts';
export { dropRunTree, listKeptTrees, openTreePlace } from './worktrees/tree-place.ts';
