import type { Judgement } from './judge-work.ts';
import type { RunState } from './run-state.ts';
import { type SelectedLeaf, showNodePath } from './tree/select-leaf.ts';
import { nodeById } from './tree/tree-node.ts';

/** The message of an iteration's commit; the same iteration always gives the same. */
export function stepMessage(
  { run_id: runId, next_iter: iteration }: RunState,
  { node, path }: SelectedLeaf,
  { outcome, status, guard, tree }: Judgement,
): string {
  const after = nodeById(tree, node.id) ?? node;
  const ending = outcome === 'repair' ? `${status}, tree not accepted` : `${status}, guard ${guard}`;
  return `${[
    `loadout loop: ${node.id} ${ending}`,
    '',
    `Iteration: ${iteration}`,
    `Run: ${runId}`,
    `Node: ${showNodePath(path)}`,
    `Title: ${node.title}`,
    `Attempts: ${after.attempts} of ${after.max_attempts}`,
    `Passes: ${after.passes ? 'yes' : 'no'}`,
  ].join('\n')}\n`;
}
