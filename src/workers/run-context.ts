import type { AgentStart, NamedWorker } from '../agents/agent-worker.ts';
import type { AnyAnswer } from '../context/answers/answer-schema-for.ts';
import type { Role } from '../context/roles/role.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { RunEvent } from './run-event.ts';
import type { GateCommand, RunEnvironment, RunRequest } from './run-request.ts';
import type { RunTree } from './worktrees/run-tree.ts';

/** What all attempts of a run share. */
export interface RunContext {
  readonly run: string;
  readonly request: RunRequest;
  readonly environment: RunEnvironment;
  readonly role: Role;
  readonly agent: NamedWorker;
  readonly model: string | null;
  readonly flags: readonly string[];
  readonly permissions: AgentStart['permissions'];
  readonly schema: ObjectSchema<AnyAnswer>;
  readonly gates: readonly GateCommand[];
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly gateEnv: Readonly<Record<string, string>>;
  readonly tree: RunTree;
  /** The tree starts from what the user has staged. */
  readonly isStaged: boolean;
  /** The run's folder in the repository. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** By the monotonic clock. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  readonly emit: (event: RunEvent) => void;
}

/** What is left of the deadline, and no more than one attempt may take. */
export function timeLeft({ environment, deadlineAt, timeoutMs }: RunContext): number {
  return Math.max(1, Math.min(timeoutMs, deadlineAt - environment.monotonicMs()));
}

export function isPastDeadline({ environment, deadlineAt }: RunContext): boolean {
  return environment.monotonicMs() >= deadlineAt;
}
