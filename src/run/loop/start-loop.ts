import { LoadoutError } from '../../model/loadout-error.ts';
import { newRunId } from '../new-run-id.ts';
import { parseGoal } from './goal-text.ts';
import { type OpenLoop, withLoop } from './open-loop.ts';
import { newRunState, renderRunState } from './run-state.ts';
import { needTree } from './tree/read-tree.ts';
import { renderTree } from './tree/render-tree.ts';
import { treeOutcome } from './tree/select-leaf.ts';
import { passParents } from './tree/settle-tree.ts';
import { DEFAULT_MAX_ATTEMPTS, type TreeNode } from './tree/tree-node.ts';

export interface StartRequest {
  readonly repository: string;
  readonly folder?: string | undefined;
  /** Words, or the text of a tree; null takes the tree that is there. */
  readonly goal: string | null;
  readonly maxAttempts?: number | undefined;
  /** Begin anew although there is a tree that has not passed. */
  readonly replace?: boolean;
}

export interface StartedLoop {
  readonly folder: string;
  readonly runId: string;
  readonly tree: TreeNode;
  readonly commit: string;
}

/** Lays out the state of a loop and commits it. */
export function startLoop(request: StartRequest, wallClockMs: () => number): Promise<StartedLoop> {
  const begin = async (loop: OpenLoop): Promise<StartedLoop> => {
    const { place } = loop;
    const branch = await loop.checkBranch();
    const tree = treeFor(request, loop);
    const runId = newRunId(wallClockMs());
    const files = new Map([
      [place.tree, renderTree(tree)],
      [place.runState, renderRunState(newRunState(runId))],
      [place.assumptions, place.readText(place.assumptions) ?? ''],
      [place.questions, place.readText(place.questions) ?? ''],
    ]);
    const message = `loadout loop: start\n\nRun: ${runId}\nGoal: ${tree.title}\n`;
    const commit = await loop.commit(branch, null, files, message, true);
    return { folder: place.folder, runId, tree, commit };
  };
  return withLoop(request.repository, request.folder, begin, true);
}

function treeFor({ goal, maxAttempts, replace }: StartRequest, { place }: OpenLoop): TreeNode {
  const existing = place.readText(place.tree);
  if (goal === null) {
    if (existing !== null) return passParents(needTree(existing, place.tree));
    throw new LoadoutError('no-goal', 'there is neither a goal nor a task tree', {
      hint: `give --goal TEXT or --goal FILE, or write ${place.tree}`,
    });
  }
  if (existing !== null && !replace && treeOutcome(needTree(existing, place.tree)) !== 'passed') {
    throw new LoadoutError('loop-exists', `${place.tree} holds a tree that has not passed yet`, {
      subject: place.tree,
      hint: 'go on with it (loadout loop run), or give it up: loadout loop start --replace --goal ...',
    });
  }
  if (goal.trimStart().startsWith('{')) return passParents(needTree(goal, 'the goal'));
  return {
    id: 'root',
    order: 0,
    ...parseGoal(goal),
    passes: false,
    attempts: 0,
    max_attempts: maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
    children: [],
  };
}
