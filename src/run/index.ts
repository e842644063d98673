export { createRunWorld, type RunWorldOptions } from './create-run-world.ts';
export { dropRunTree, listKeptTrees } from './drop-run-tree.ts';
export { findRun, listRuns, type RunSummary, readEvents, readRun } from './log/read-runs.ts';
export type { GateReport, RunEvent, RunOutcome, RunReason, StoredEvent } from './run-event.ts';
export { type RefusedRun, type RunManyOptions, runMany } from './run-many.ts';
export type { AttemptRecord, RunResult } from './run-record.ts';
export type { BuiltPrompt, GateCommand, PromptInput, RunRequest, RunWorld } from './run-request.ts';
export { type RunHandle, runRole } from './run-role.ts';
export { createTreeScans, type TreeScans } from './tree-scans.ts';
