import type { TreeSnapshot } from '../../platform/git/git-run-tree.ts';
import type { RunTree } from '../worktrees/run-tree.ts';
import type { LoopAnswer } from './loop-answer.ts';
import type { TreeNode } from './tree/tree-node.ts';

export interface WorkerRequest {
  /** Marks the processes of this iteration. */
  readonly run: string;
  readonly node: TreeNode;
  readonly role: string;
  /** With what was wrong with the answer before, when the worker is asked again. Never above the budget. */
  readonly prompt: (feedback: string | null) => string;
  readonly promptId: string;
  readonly packageId: string | null;
  /** Where the worker works. */
  readonly tree: RunTree;
  /** Files to put into the tree before every start of the agent, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Where it may leave logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

export type WorkerOutcome =
  | {
      readonly kind: 'answered';
      readonly answer: LoopAnswer;
      readonly log: string | null;
      /** It had no permission to edit: whatever it changed all the same is taken back. */
      readonly isReadOnly: boolean;
    }
  /** It ran and had its chance: too slow, or no answer in the form that was asked for. Counts as an attempt. */
  | { readonly kind: 'no-answer'; readonly message: string; readonly log: string | null }
  /** It could not run or was cut off by others: no login, no network, no such program. Counts for nothing. */
  | { readonly kind: 'failed'; readonly message: string; readonly log: string | null };

export interface GuardRequest {
  readonly run: string;
  readonly tree: RunTree;
  /** The files as the worker left them. */
  readonly before: TreeSnapshot;
  /** The loop's own files beside git, which are no work of the worker's. */
  readonly context: string;
  readonly signal: AbortSignal;
}

export interface GuardOutcome {
  readonly passed: boolean;
  /** Everything it said. */
  readonly log: string;
}

export interface LoopPackage {
  readonly id: string;
  readonly text: string;
}

/** Everything an iteration needs from outside. */
export interface LoopEnvironment {
  takeTree(run: string, commit: string): Promise<RunTree>;
  runWorker(request: WorkerRequest): Promise<WorkerOutcome>;
  /** Null when there is no check: then the worker's word counts. */
  readonly runGuard: ((request: GuardRequest) => Promise<GuardOutcome>) | null;
  /** Null when prompts go without. */
  readonly buildPackage: ((task: string, maxBytes: number) => Promise<LoopPackage | null>) | null;
  wallClockMs(): number;
}
