import type { TreeNode } from './tree-node.ts';

/** `open` leaves the node as it is: it was decomposed. */
export type NodeResult = 'passed' | 'failed' | 'open';

/** The tree after an iteration on one node. Parents pass when all of their children do. */
export function finishNode(tree: TreeNode, id: string, result: NodeResult): TreeNode {
  const finish = (node: TreeNode): TreeNode => {
    if (node.id !== id) return { ...node, children: node.children.map(finish) };
    if (result === 'failed') return { ...node, attempts: Math.min(node.attempts + 1, node.max_attempts) };
    return result === 'passed' ? { ...node, passes: true } : node;
  };
  return passParents(finish(tree));
}

export function passParents(node: TreeNode): TreeNode {
  if (node.children.length === 0) return node;
  const children = node.children.map(passParents);
  return { ...node, children, passes: children.every(({ passes }) => passes) };
}
