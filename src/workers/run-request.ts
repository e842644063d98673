import type { AgentStart, NamedWorker } from '../agents/agent-worker.ts';
import type { WorkerName } from '../agents/table.ts';
import type { TrustedRoot } from '../config/trust/read-trust.ts';
import type { AnyAnswer } from '../context/answers/answer-schema-for.ts';
import type { ChangeSelection } from '../context/pack/change/read-change.ts';
import type { Role } from '../context/roles/role.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Environment } from '../platform/environment.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { FoundAgent } from './find-agent.ts';
import type { RunEvent } from './run-record.ts';
import type { RunTree } from './worktrees/run-tree.ts';

/** Words of the user for a shell, or a program with its arguments, which runs without one. */
export type GateCommand = string | readonly string[];

export interface RunRequest {
  readonly repository: string;
  readonly task: string;
  /** The name of a role. */
  readonly role: string;
  readonly targets?: readonly string[];
  /** The domain that the task is about: a name of the setting `domains`, or a package of the repository. */
  readonly domain?: string;
  /** More sections for the prompt, by name. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Another CLI than the role's. */
  readonly cli?: WorkerName;
  readonly model?: string;
  readonly permissions?: AgentStart['permissions'];
  /** The user's own; they come after those of the role. */
  readonly gates?: readonly GateCommand[];
  /** Variables of the environment that gates may see besides the usual ones. */
  readonly gateVariables?: readonly string[];
  /** Of one attempt of the agent, and of each gate. */
  readonly timeoutMs?: number;
  /** Of everything together. */
  readonly deadlineMs?: number;
  readonly maxRetries?: number;
  /**
   * Start from what is staged on top of the last commit, or from the commit alone. Without it the role decides:
   * whoever is shown the staged changes has them in the work tree, too.
   */
  readonly staged?: boolean;
  /** Show the files on disk as a change since this base, and start from them. */
  readonly change?: Pick<ChangeSelection, 'base'>;
  /** Leave the work tree where it is. */
  readonly keep?: boolean;
  /** Make the branch `loadout/<run>` of a passed run. */
  readonly branch?: boolean;
  /** Put the patch of a passed run on the user's files, if it fits. */
  readonly apply?: boolean;
  readonly signal?: AbortSignal;
}

export interface PromptInput {
  /** The work tree of the run: what the agent is told is what it will find. */
  readonly root: string;
  readonly role: Role;
  readonly task: string;
  readonly targets: readonly string[];
  /** `test_output` and `feedback` of the attempt before, and what the request asks for. */
  readonly extra: Readonly<Record<string, string>>;
  /** Of `extra`: what may be shortened and is never left out. */
  readonly keep?: readonly string[];
  /** The change to show; without it the staged one. */
  readonly change?: Pick<ChangeSelection, 'base'>;
  readonly domain?: string;
  /** Something is staged in the work tree, as in the user's own. */
  readonly isStaged: boolean;
  readonly signal: AbortSignal;
}

export interface BuiltPrompt {
  readonly text: string;
  readonly promptId: string;
  readonly packageId: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Everything a run needs from outside. */
export interface RunEnvironment {
  readonly env: Environment;
  readonly cacheDirectory: string;
  /** The user's own roles lie in its `roles/`. */
  readonly configDirectory: string | null;
  /** For roles that ask for more tokens than 100,000. */
  readonly maxTokenBudget?: number;
  readonly findAgent: (name: WorkerName, root: string) => Pick<FoundAgent, 'adapter' | 'readVersion'>;
  readonly buildPrompt: (input: PromptInput) => Promise<BuiltPrompt>;
  /** Whether the repository may name what runs, and the very files that the answer is about. */
  readonly readTrust: (root: SafeRoot) => Promise<TrustedRoot>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly wallClockMs: () => number;
  readonly monotonicMs: () => number;
}

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
