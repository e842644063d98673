import { LoadoutError } from '../../model/loadout-error.ts';
import type { LoopPlace } from './loop-place.ts';
import { type RunState, readRunState } from './run-state.ts';
import { passParents } from './tree/finish-node.ts';
import { needTree } from './tree/read-tree.ts';
import type { TreeNode } from './tree/tree-node.ts';

export interface LoopState {
  readonly tree: TreeNode;
  readonly runState: RunState;
}

export function loadState(place: LoopPlace): LoopState {
  const [tree, runState] = [place.readText(place.tree), place.readText(place.runState)];
  if (tree === null || runState === null) throw noLoop(place, tree === null ? place.tree : place.runState);
  return {
    tree: passParents(needTree(tree, place.tree)),
    runState: readRunState(runState, place.runState),
  };
}

export function noLoop({ folder }: LoopPlace, missing: string): LoadoutError {
  return new LoadoutError('no-loop', `there is no loop in ${folder}: ${missing} is missing`, {
    subject: missing,
    hint: 'begin one: loadout loop start --goal "What is to be reached"',
  });
}
