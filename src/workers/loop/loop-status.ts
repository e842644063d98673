import { openSafeRoot } from '../../platform/fs/safe-root.ts';
import { mayBeAlive, type ProcessIdentity } from '../../platform/process/process-identity.ts';
import { readFailure } from './iteration-log.ts';
import { loadState } from './load-state.ts';
import { openLoopPlace } from './loop-place.ts';
import type { RunState } from './run-state.ts';
import { selectLeaf, type TreeOutcome, treeOutcome } from './tree/select-leaf.ts';
import { type TreeLine, treeLines } from './tree/summarize-tree.ts';
import { type TreeNode, walkTree } from './tree/tree-node.ts';

export interface LoopStatusReport {
  readonly folder: string;
  readonly outcome: TreeOutcome;
  readonly tree: TreeNode;
  readonly lines: readonly TreeLine[];
  readonly next: string | null;
  readonly leaves: { readonly passed: number; readonly all: number };
  readonly runState: RunState;
  /** Of the last iteration, when its guard failed. */
  readonly failure: string | null;
  /** A process is working on it now. */
  readonly isRunning: boolean;
  /** A step was cut short while its commit was taken over; the next one ends it first. */
  readonly isInterrupted: boolean;
}

/** How far the loop is. Looks and changes nothing. */
export function loopStatus(repository: string, folder: string | undefined): LoopStatusReport {
  const place = openLoopPlace(openSafeRoot(repository), folder);
  const { tree, runState } = loadState(place);
  const outcome = treeOutcome(tree);
  const next = outcome === 'open' ? (selectLeaf(tree)?.node.id ?? null) : null;
  const leaves = [...walkTree(tree)].filter(({ node }) => node.children.length === 0);
  const isRunning = isHeld(place.readText(`${place.iterations}/lock`));
  return {
    ...{ folder: place.folder, outcome, tree, next, runState },
    lines: treeLines(tree, next),
    leaves: { passed: leaves.filter(({ node }) => node.passes).length, all: leaves.length },
    failure:
      runState.last_guard === 'fail' ? readFailure(place, runState.run_id, runState.next_iter - 1) : null,
    isRunning,
    isInterrupted: !isRunning && place.root.stat(`${place.iterations}/pending.json`) !== null,
  };
}

function isHeld(lock: string | null): boolean {
  try {
    const owner: Partial<ProcessIdentity> | null = JSON.parse(lock ?? 'null');
    return Number.isInteger(owner?.pid) && mayBeAlive(owner as ProcessIdentity);
  } catch {
    return false;
  }
}
