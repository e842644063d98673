import { type TreeNode, walkTree } from './tree-node.ts';

export interface SelectedLeaf {
  readonly node: TreeNode;
  /** From the root down to the node itself. */
  readonly path: readonly TreeNode[];
}

/** The leftmost leaf that does not pass yet, depth first; null when there is none. */
export function selectLeaf(tree: TreeNode): SelectedLeaf | null {
  for (const { node, above } of walkTree(tree)) {
    if (node.children.length === 0 && !node.passes) return { node, path: [...above, node] };
  }
  return null;
}

export type TreeOutcome = 'open' | 'passed' | 'stuck';

/** Stuck: the leaf that is next has no attempt left. Those behind it may need it, so they are not tried. */
export function treeOutcome(tree: TreeNode): TreeOutcome {
  const next = selectLeaf(tree);
  if (next === null) return 'passed';
  return next.node.attempts >= next.node.max_attempts ? 'stuck' : 'open';
}

export const showNodePath = (path: readonly TreeNode[]): string => path.map(({ id }) => id).join(' > ');
