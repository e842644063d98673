import { compareNodes, type TreeNode } from './tree-node.ts';

/** The one way in which a tree stands in `tree.json`: fields in a fixed order, children sorted, a last line break. */
export function renderTree(tree: TreeNode): string {
  return `${JSON.stringify(canonicalNode(tree), null, 2)}\n`;
}

export function canonicalNode(node: TreeNode): TreeNode {
  return {
    id: node.id,
    order: node.order,
    title: node.title,
    goal: node.goal,
    acceptance: [...node.acceptance],
    passes: node.passes,
    attempts: node.attempts,
    max_attempts: node.max_attempts,
    ...(node.role === undefined ? {} : { role: node.role }),
    children: [...node.children].sort(compareNodes).map(canonicalNode),
  };
}
