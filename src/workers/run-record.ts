// The record of a run in `record.json`, and its events in `events.jsonl`. Both are public formats.
import type { AgentFailure, AgentUsage, WorkerName } from '../agents/index.ts';
import type { AnyAnswer } from '../context/answers/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { KeptTree } from './worktrees/tree-place.ts';

/** One attempt, as `record.json` keeps it. */
export interface AttemptRecord {
  readonly attempt: number;
  readonly mode: 'fresh' | 'resume';
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly message: string;
  /** The SHA-256 of the prompt, which is in the run's folder. */
  readonly promptId: string;
  /** Names the context package in the prompt; null when there was none. */
  readonly packageId: string | null;
  /** The agent's own session. The next attempt may continue it. */
  readonly sessionId: string | null;
  readonly usage: AgentUsage | null;
  /** As the client reports it; null when it reports none. */
  readonly costUsd: number | null;
  readonly gates: readonly GateReport[];
  /** Files that the agent left and the gates did not see, because they are not part of the patch. */
  readonly setAside: readonly string[];
}

/** How a run ended, and everything that it left. `record.json` holds the same. */
export interface RunResult {
  readonly run: string;
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly message: string;
  readonly role: string;
  readonly cli: WorkerName;
  readonly cliVersion: string | null;
  readonly model: string | null;
  readonly task: string;
  /** The commit that the worker started from. */
  readonly commit: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly attempts: readonly AttemptRecord[];
  /** The answer of the last attempt that gave one, checked against the role's schema. */
  readonly answer: AnyAnswer | null;
  readonly promptId: string | null;
  readonly packageId: string | null;
  /** For all attempts together; null when the CLI reports none. */
  readonly usage: AgentUsage | null;
  readonly costUsd: number | null;
  /** Paths that the patch adds, changes or removes. */
  readonly changedFiles: readonly string[];
  /** Absolute path of the patch; null when nothing changed, or the patch is too large. */
  readonly patchFile: string | null;
  /** `loadout/<run>` when it was asked for and something changed. */
  readonly branch: string | null;
  /** The patch was applied to the user's files. */
  readonly applied: boolean;
  readonly keptTree: KeptTree | null;
  /** The run's folder in the repository: events, record, patch, prompts and outputs. */
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** The sum of two usages. One that is not known counts as nothing. */
export function addUsage(one: AgentUsage | null, other: AgentUsage | null): AgentUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** How an attempt or a run ended. */
export type RunOutcome = 'passed' | 'failed' | 'timed-out' | 'cancelled' | 'crashed';

/** Why an attempt or a run did not pass; null when it did. */
export type RunReason =
  | 'agent-failed'
  | 'agent-timed-out'
  | 'answered-no'
  | 'answer-refused'
  | 'gate-failed'
  | 'deadline'
  | 'cancelled'
  | 'runner-died';

/** How a gate ended. */
export interface GateReport {
  /** The command, as messages show it. */
  readonly gate: string;
  readonly passed: boolean;
  /** Why it did not pass; null when it did. */
  readonly why: 'exit-code' | 'timed-out' | 'not-found' | 'changed-the-tree' | 'cancelled' | null;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Its output; of a long one the beginning and the end. */
  readonly output: string;
  /** The file in the run's folder that holds the whole output; null when there was none. */
  readonly outputFile: string | null;
}

/** The events of a run, in order. An attempt has exactly one `attempt-end`, a run exactly one `run-end`. */
export type RunEvent =
  | {
      readonly type: 'run-start';
      readonly role: string;
      readonly cli: WorkerName;
      readonly model: string | null;
      readonly task: string;
      readonly commit: string;
    }
  /** The work tree is at its commit. */
  | { readonly type: 'tree-ready'; readonly path: string }
  | {
      readonly type: 'attempt-start';
      readonly attempt: number;
      /** `resume` continues the agent's own session. */
      readonly mode: 'fresh' | 'resume';
      readonly promptId: string;
      readonly packageId: string | null;
      readonly promptBytes: number;
    }
  /** A warning about the prompt, before the agent gets it. */
  | ({ readonly type: 'diagnostic' } & Diagnostic)
  /** The process runs; its end is `agent-end`. */
  | { readonly type: 'agent-start'; readonly pid: number }
  /** The last line the agent wrote. Not kept on disk. */
  | { readonly type: 'agent-output'; readonly line: string }
  | {
      readonly type: 'agent-end';
      readonly exitCode: number | null;
      readonly durationMs: number;
      readonly omittedBytes: number;
      readonly usage: AgentUsage | null;
      readonly costUsd: number | null;
      readonly error: AgentFailure | null;
    }
  /** The answer has the form that the role asks for. */
  | { readonly type: 'answer-accepted'; readonly status: string }
  | { readonly type: 'answer-refused'; readonly message: string }
  | { readonly type: 'gate-start'; readonly gate: string }
  | ({ readonly type: 'gate-end' } & GateReport)
  | {
      readonly type: 'attempt-end';
      readonly attempt: number;
      readonly outcome: RunOutcome;
      readonly reason: RunReason | null;
      readonly message: string;
    }
  /** After an outage. The next attempt begins when the pause is over. */
  | { readonly type: 'retry-scheduled'; readonly delayMs: number; readonly reason: RunReason }
  | { readonly type: 'tree-kept'; readonly path: string; readonly why: KeptTree['why'] }
  | {
      readonly type: 'run-end';
      readonly outcome: RunOutcome;
      readonly reason: RunReason | null;
      readonly message: string;
      readonly branch: string | null;
      readonly applied: boolean;
    };

/** An event as it is kept and streamed. */
export type StoredEvent = RunEvent & {
  readonly run: string;
  /** Counts the kept events from 1. An `agent-output` has the number of the event before it. */
  readonly seq: number;
  /** ISO 8601, UTC. */
  readonly at: string;
};

/** Whether an event ends an attempt or a run. */
export function isTerminal(type: RunEvent['type']): boolean {
  return type === 'attempt-end' || type === 'run-end';
}
