import type { AgentUsage } from '../agents/agent-worker.ts';
import type { WorkerName } from '../agents/table.ts';
import type { AnyAnswer } from '../context/answers/answer-schema-for.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { GateReport, RunOutcome, RunReason } from './run-event.ts';
import type { KeptTree } from './worktrees/kept-trees.ts';

export interface AttemptRecord {
  readonly attempt: number;
  readonly mode: 'fresh' | 'resume';
  readonly outcome: RunOutcome;
  readonly reason: RunReason | null;
  readonly message: string;
  readonly promptId: string;
  readonly packageId: string | null;
  readonly sessionId: string | null;
  readonly usage: AgentUsage | null;
  readonly costUsd: number | null;
  readonly gates: readonly GateReport[];
  /** Files that the agent left and the gates did not see, because the patch does not hold them. */
  readonly setAside: readonly string[];
}

/** How a run ended, and all that is left of it. `record.json` holds the same. */
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
  /** Of the last attempt that gave one; checked against the role's schema. */
  readonly answer: AnyAnswer | null;
  readonly promptId: string | null;
  readonly packageId: string | null;
  /** Of all attempts together; null when no CLI told. */
  readonly usage: AgentUsage | null;
  readonly costUsd: number | null;
  readonly changedFiles: readonly string[];
  /** Absolute path of the patch; null when nothing changed, or too much for a patch. */
  readonly patchFile: string | null;
  /** `loadout/<run>` when it was asked for and something changed. */
  readonly branch: string | null;
  readonly applied: boolean;
  readonly keptTree: KeptTree | null;
  /** The run's folder in the repository: events, record, patch, prompts and outputs. */
  readonly folder: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function addUsage(one: AgentUsage | null, other: AgentUsage | null): AgentUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cachedInputTokens: one.cachedInputTokens + other.cachedInputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
