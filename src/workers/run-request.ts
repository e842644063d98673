// The types of a run: the request, the environment that it needs, and the context that all attempts share.
import type { AgentStart, NamedWorker, WorkerName } from '../agents/index.ts';
import type { TrustedRoot } from '../config/index.ts';
import type { AnyAnswer } from '../context/answers/index.ts';
import type { ChangeSelection } from '../context/compose/index.ts';
import type { Role } from '../context/roles/index.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Environment } from '../platform/environment.ts';
import type { SafeRoot } from '../platform/fs/safe-root.ts';
import type { ObjectSchema } from '../schema/object-schema.ts';
import type { FoundAgent } from './run-environment.ts';
import type { RunEvent } from './run-record.ts';
import type { RunTree } from './worktrees/run-tree.ts';

/** A line for the shell, or a program with its arguments, which runs without a shell. */
export type GateCommand = string | readonly string[];

/** The task of a worker, and the options of its run. */
export interface RunRequest {
  /** The path of the repository. */
  readonly repository: string;
  /** In words, as the user gave it. */
  readonly task: string;
  /** The name of a role. */
  readonly role: string;
  /** Paths that the task is about. They come first in the prompt. */
  readonly targets?: readonly string[];
  /** The domain that the task is about: a name of the setting `domains`, or a package of the repository. */
  readonly domain?: string;
  /** More sections for the prompt, by name. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Another CLI than the role's. */
  readonly cli?: WorkerName;
  /** The name of a model, as the client knows it. */
  readonly model?: string;
  /** Without it the role decides: planners and reviewers only read. */
  readonly permissions?: AgentStart['permissions'];
  /** The user's own gates; they run after those of the role. */
  readonly gates?: readonly GateCommand[];
  /** Variables of the environment that gates may see besides the usual ones. */
  readonly gateVariables?: readonly string[];
  /** For each attempt of the agent, and for each gate. */
  readonly timeoutMs?: number;
  /** For all attempts together. */
  readonly deadlineMs?: number;
  /** Attempts after the first one. (default: 2) */
  readonly maxRetries?: number;
  /**
   * Start from the staged changes on top of the last commit, or from the commit alone. Without it the role decides: one that
   * is shown staged changes has them in its work tree, too.
   */
  readonly staged?: boolean;
  /** Show the files on disk as a change since this base, and start from them. */
  readonly change?: Pick<ChangeSelection, 'base'>;
  /** Leave the work tree where it is. */
  readonly keep?: boolean;
  /** Make the branch `loadout/<run>` when the run passes. */
  readonly branch?: boolean;
  /** Apply the patch to the user's files when the run passes and the patch fits. */
  readonly apply?: boolean;
  readonly signal?: AbortSignal;
}

/** The values that the prompt of an attempt is built from. */
export interface PromptInput {
  /** The work tree of the run, so that the prompt shows the files that the agent will find. */
  readonly root: string;
  /** The user's repository. Its guidelines hold as they are on disk, committed or not. */
  readonly repository: string;
  readonly role: Role;
  readonly task: string;
  readonly targets: readonly string[];
  /** More sections: `test_output` or `feedback` from the attempt before, and those of the request. */
  readonly extra: Readonly<Record<string, string>>;
  /** Names of `extra` that may be shortened but are never left out. */
  readonly keep?: readonly string[];
  /** The change to show; without it the staged one. */
  readonly change?: Pick<ChangeSelection, 'base'>;
  readonly domain?: string;
  /** Something is staged in the work tree, as in the user's own. */
  readonly isStaged: boolean;
  readonly signal: AbortSignal;
}

/** The text for the agent, with an id of the text and an id of its package. */
export interface BuiltPrompt {
  readonly text: string;
  readonly promptId: string;
  readonly packageId: string | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** Everything a run needs from outside. */
export interface RunEnvironment {
  readonly env: Environment;
  /** Holds work trees, breakers and indexes. */
  readonly cacheDirectory: string;
  /** Its folder `roles/` has the user's own roles. */
  readonly configDirectory: string | null;
  /** Allows roles to ask for more than 100,000 tokens. */
  readonly maxTokenBudget?: number;
  readonly findAgent: (name: WorkerName, root: string) => Pick<FoundAgent, 'adapter' | 'readVersion'>;
  readonly buildPrompt: (input: PromptInput) => Promise<BuiltPrompt>;
  /** Whether the repository may name commands, and a view of exactly the files that this was decided for. */
  readonly readTrust: (root: SafeRoot) => Promise<TrustedRoot>;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly wallClockMs: () => number;
  readonly monotonicMs: () => number;
}

/** The values that all attempts of a run share. */
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
  /** The variables of the agent: those of the user, without git's own. */
  readonly agentEnv: Readonly<Record<string, string>>;
  /** The variables of the gates: a short list, and those that the user names. */
  readonly gateEnv: Readonly<Record<string, string>>;
  readonly tree: RunTree;
  /** The tree starts from the user's staged changes. */
  readonly isStaged: boolean;
  /** The run's folder in the repository. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** In milliseconds of the monotonic clock. */
  readonly deadlineAt: number;
  readonly signal: AbortSignal;
  /** Writes an event to the log and passes it to the reader. */
  readonly emit: (event: RunEvent) => void;
}

/** The time that an attempt or a gate may take: its own limit, or the rest of the deadline. */
export function timeLeft({ environment, deadlineAt, timeoutMs }: RunContext): number {
  return Math.max(1, Math.min(timeoutMs, deadlineAt - environment.monotonicMs()));
}

/** Whether the time for all attempts together is used up. */
export function isPastDeadline({ environment, deadlineAt }: RunContext): boolean {
  return environment.monotonicMs() >= deadlineAt;
}
